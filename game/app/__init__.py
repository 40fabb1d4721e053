"""The screen of the game: a Textual app on the public interface of the session."""

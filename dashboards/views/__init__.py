"""What each page shows, as values: pure functions of events, the time and the words. Templates only loop over them."""

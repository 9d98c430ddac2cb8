package ws

// notSentLowAt is TCP_NOTSENT_LOWAT, which package syscall lacks.
const notSentLowAt = 25

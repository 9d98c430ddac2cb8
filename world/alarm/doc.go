// Package alarm is a [world.Alarm] that takes less of the processor than Go's timers. Those have the network poller
// wait for whole milliseconds, so that it wakes up twice, have it woken when a nearer one is set, and have
// the monitor thread wake up beside it, which starts another thread to see to them: a third of a process that only
// ticks. A timer of the kernel's is a descriptor like any other, and wakes one thread, once, on time.
//
// It is for Linux, and for real time only: under testing/synctest leave the world Go's timers.
package alarm

// Package folder keeps a log of events in files of a folder: who did what is known after the process has ended, and the chain of hashes goes on
// in the next.
//
// Each file holds lines as [trace.Log.Export] writes them, so that [trace.Verify] holds for each, and by [trace.Summary.Join]
// for all together. It is named after its first event, events-00000000000000000042.jsonl begins with evt_42, so that by name they are in
// order. A file has up to 16 MiB. The oldest are removed when all would be more than they may be.
//
// What it promises: when [Folder.Sync] or [Folder.Close] return nil, every event that was appended before is on the disk, or is one of those that
// an event trace.lost names, behind them. If the process is killed, or the machine stops, what was appended since may be missing at the end. A line
// that was not written to its end is dropped, and so is what lies behind a hole: zeros, where the machine stopped while the disk
// had written later parts and not that one. Nothing of that was synced. A file that is damaged elsewhere is refused, and left as it is.
//
// While the disk fails events wait in memory, 32 MiB of them. Where more would wait, the oldest are lost. What comes behind
// them begins a file, so that each file is without gaps, and says which they were. So it is with events that were on the disk, when somebody
// removes the file that is written, or the folder, which is made anew then; and, with [Options.Had], when its end was taken away while nobody had it open.
package folder

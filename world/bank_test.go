package world

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestBank holds a bank to a map: what was put into a seat is there until it is taken out, and a seat that is free is empty, whatever
// else comes and goes.
func TestBank(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b bank[string]
		of := teller[string]{&b}
		want := map[seat]string{}
		var taken []seat
		most := 0
		put := func(at seat, value string) {
			if _, there := want[at]; there {
				t.Fatalf("seat %d was given twice", at)
			}
			want[at] = value
			taken = append(taken, at)
			most = max(most, len(taken))
		}
		free := func(i int) {
			of.free(taken[i])
			delete(want, taken[i])
			taken = slices.Delete(taken, i, i+1)
		}
		many := rapid.SampledFrom([]int{3 * pageSize, pageSize + 1, pageSize, pageSize - 1, 7, 1})
		for range rapid.IntRange(4, 20).Draw(t, "turns") {
			switch rapid.SampledFrom([]string{"put", "put", "copy", "blank", "free", "page", "page", "page"}).Draw(t, "what") {
			case "put":
				value := rapid.String().Draw(t, "value")
				for range many.Draw(t, "n") {
					put(b.put(value), value)
				}
			case "copy":
				if len(taken) > 0 {
					from := rapid.SampledFrom(taken).Draw(t, "from")
					put(of.copy(from), want[from])
				}
			case "blank":
				put(of.blank(), "")
			case "free": // some that were put in after one another, or every second of them
				every := rapid.IntRange(1, 2).Draw(t, "every")
				i := rapid.IntRange(0, len(taken)).Draw(t, "i")
				for n := many.Draw(t, "n"); n > 0 && i < len(taken); n, i = n-1, i+every-1 {
					free(i)
				}
			case "page": // all of a page
				page := rapid.SampledFrom([]seat{2, 1, 3, 0}).Draw(t, "page")
				for i := len(taken) - 1; i >= 0; i-- {
					if taken[i]>>pageBits == page {
						free(i)
					}
				}
			}
			for at, value := range want {
				if got := *b.at(at); got != value || *of.ref(at).(*string) != value {
					t.Fatalf("seat %d holds %q, want %q", at, got, value)
				}
			}
			checkRoom(t, &b, len(taken))
			if pages := (most + pageSize - 1) / pageSize; len(b.pages) != pages {
				t.Fatalf("there are %d pages for at most %d values, want %d", len(b.pages), most, pages)
			}
		}
	})
}

// checkRoom holds a bank to what it may keep: no value that was taken out, and of the pages without values the first and one more.
func checkRoom(t *rapid.T, b *bank[string], taken int) {
	count, spare := 0, 0
	for n, page := range b.pages {
		p := &b.room.pages[n]
		count += p.count
		if p.count == 0 && n > 0 && page != nil {
			spare++
		}
		for i, value := range page {
			if free := p.taken[i/64]&(1<<(i%64)) == 0; free && value != "" {
				t.Fatalf("seat %d is free and holds %q", n*pageSize+i, value)
			}
		}
	}
	if count != taken || spare > 1 {
		t.Fatalf("%d seats are taken and %d pages kept for nothing, want %d and at most 1", count, spare, taken)
	}
}

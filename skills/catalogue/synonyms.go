package catalogue

import "strings"

// meanings are words that people who build say for one another, in the singular. A word may be in
// several.
var meanings = [...]string{
	" add build create construct made make new place put spawn ",
	" create define make new ",
	" apply deal inflict ",
	" enemy foe monster ",
	" delete destroy discard drop erase remove ",
	" entity item model object thing ",
	" bring displace move teleport transform translate ",
	" rotate rotation spin turn orient ",
	" enlarge resize scale shrink size stretch ",
	" color colour paint tint ",
	" bright brightness illumination lamp light lighting sun ",
	" building castle cottage home house hut storey tower ",
	" find list look lookup query search ",
	" change edit modify replace set update ",
	" chat say speak talk tell ",
	" audio noise sound ",
	" observe perceive perception see sense surrounding ",
	" approach follow go walk ",
	" clock day hour night time ",
	" dark dawn dusk evening morning night sunrise sunset ",
	" began begin start ",
	" victory win winner won ",
	" defeat lose lost ",
	" happen when whenever ",
	" all each every everything ",
	" lamp lantern light torch ",
	" graze roam stroll wander ",
	" stair staircase upstair downstair storey ",
	" pasture meadow field grass ",
	" animal cat chicken cow dog goat horse pig sheep ",
	" harm hurt wound ",
	" caption label message sign text ",
	" music song soundtrack bgm ",
	" log history trace ",
	" look inspect overview summary summarise summarize ",
	" material surface texture ",
	" allow approve grant permit ",
	" deny refuse reject ",
	" avatar body ",
	" image photo picture render screenshot ",
	" checkpoint save store ",
	" load import open restore ",
	" back revert rollback undo ",
	" check float floating hang intersect overlap overlapping validate ",
	" attach group join parent ",
	" align place snap stack ",
	" await rest settle wait ",
	" color colour material ",
}

// synonyms returns the words that stand for a word.
func synonyms(word string) map[string]bool {
	found := map[string]bool{}
	for _, m := range meanings {
		if !strings.Contains(m, " "+word+" ") {
			continue
		}
		for _, other := range strings.Fields(m) {
			found[other] = true
		}
	}
	return found
}

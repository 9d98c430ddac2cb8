package registry

import "slices"

// Review asks the gate about a call that is about to make others, as about one that needs all of their
// permissions, and changes something if one of them does: so they are held together, or refused together, and not one by one after a part of them
// has run. Names of no skills are left out. The handler has to return Review's error.
func (c *Call) Review(names []string) error {
	r := c.reg
	if r.gate == nil || c.root.judged || c.root.dry {
		return nil
	}
	info := c.skill.info
	info.Permissions = slices.Clone(info.Permissions)
	for _, name := range names {
		if k := r.set.Load().byName[name]; k != nil {
			info.Permissions = append(info.Permissions, k.info.Permissions...)
			if k.info.Changes() {
				info.Effect, info.Unreviewed = Anything, false
			}
		}
	}
	slices.Sort(info.Permissions)
	info.Permissions = slices.Compact(info.Permissions)
	if r.screener != nil && !r.screener.Concerns(&info, c.principal) {
		return nil
	}
	if e := r.judgeAs(c, &info, c.input); e != nil {
		return e
	}
	return nil
}

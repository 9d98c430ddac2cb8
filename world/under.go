package world

// Under runs fn with every entity that is created without a parent put under root, its transform in
// root's space. What calls inside fn do is held to claims and to [Caller.Seen] not one by one but with
// the [Do] that Under is called in, when it ends: until then things need not be where they will be. That
// is how a thing of many parts is built at the origin and then put in its place. Inside another Under, the
// inner one counts.
func (tx *Tx) Under(root ID, fn func() error) error {
	if !tx.Exists(root) {
		return tx.Unknown(root)
	}
	outer := tx.under
	tx.under = root
	defer func() { tx.under = outer }()
	return fn()
}

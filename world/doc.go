// Package world holds all authoritative state of a Limina world: entities with transforms, parents,
// names, tags and components; tables and globals that belong to no entity; the simulation steps.
package world

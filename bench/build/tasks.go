package build

// Tasks returns the tasks.
func Tasks() []Task {
	return []Task{
		table(), columns(), room(), stairs(), bridge(), dominoes(), repair(), copying(), trees(), halves(), recovery(), path(),
	}
}

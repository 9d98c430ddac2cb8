package mcp

// taskMethod is a method of the tasks extension: it is for clients that declare it, about a task of
// theirs.
func taskMethod(run func(t *task, m *message) ([]byte, *rpcError)) method {
	return func(c *conn, m *message) ([]byte, *rpcError) {
		if m.as.capable&canTasks == 0 {
			return nil, noTasks()
		}
		p, e := m.stringParams("taskId")
		if e != nil {
			return nil, e
		}
		t := c.mcp.tasks.find(taskOwner(m.as), p["taskId"])
		if t == nil {
			return nil, invalidParams("taskId: no task of yours has this id, or it is older than " + taskLife.String())
		}
		return run(t, m)
	}
}

// noTasks is what a client is told that would need the extension, and does not declare it.
func noTasks() *rpcError { return lacking(`{"extensions":{"` + tasksExtension + `":{}}}`) }

// taskOwner is whose a task is: who made the call, as what.
func taskOwner(b *binding) string {
	return b.session.principal.ID + "\x00" + b.session.principal.Profile
}

// getTask is tasks/get.
func getTask(t *task, _ *message) ([]byte, *rpcError) {
	t.all.mu.Lock()
	defer t.all.mu.Unlock()
	return append(t.append([]byte{'{'}, true), '}'), nil
}

// updateTask is tasks/update: it brings answers.
func updateTask(t *task, m *message) ([]byte, *rpcError) {
	responses := member(m.Params, "inputResponses")
	if len(responses) == 0 || responses[0] != '{' {
		return nil, invalidParams("inputResponses: required, an object with the keys of inputRequests")
	}
	return nil, t.answer(responses)
}

// cancelTask is tasks/cancel. What has ended stays as it is.
func cancelTask(t *task, _ *message) ([]byte, *rpcError) {
	t.stop()
	return nil, nil
}

// appendCreated appends the answer of a call that has become a task.
func (d *modern) appendCreated(dst []byte, t *task) []byte {
	t.all.mu.Lock()
	defer t.all.mu.Unlock()
	dst = append(append(dst, `"result":{"resultType":"task",`...), d.meta...)
	return append(t.append(append(dst, ','), false), '}')
}

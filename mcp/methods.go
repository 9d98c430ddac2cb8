package mcp

// caching says for how long a modern result holds, and for whom.
type caching struct {
	ttl    int  // milliseconds; 0 is not at all
	public bool // for everybody, not only for who may do the same
}

// standardMethod is a method of standard MCP. It is the same in both eras, and its result is that of
// the legacy one: a JSON object without resultType, ttlMs, cacheScope and _meta.serverInfo, which
// the modern dialect adds.
type standardMethod struct {
	run    method
	legacy bool
	modern bool
	cached *caching // its modern result says for how long it holds
}

// standardMethodOf is the table of the methods of standard MCP, but for those that are answered where
// they are read; run is nil if there is none of the name.
func standardMethodOf(name string) standardMethod {
	switch name {
	case "notifications/initialized":
		return standardMethod{run: initialized, legacy: true}
	case "notifications/cancelled":
		return standardMethod{run: cancelled, legacy: true, modern: true}
	case "server/discover":
		return standardMethod{run: discover, modern: true, cached: &caching{ttl: 3_600_000}} // private: its instructions suit what the session may do
	case "subscriptions/listen":
		return standardMethod{run: listenTo, modern: true}
	case "tasks/get":
		return standardMethod{run: taskMethod(getTask), modern: true}
	case "tasks/update":
		return standardMethod{run: taskMethod(updateTask), modern: true}
	case "tasks/cancel":
		return standardMethod{run: taskMethod(cancelTask), modern: true}
	case "resources/list":
		return standardMethod{run: listResources, legacy: true, modern: true, cached: &listed}
	case "resources/templates/list":
		return standardMethod{run: listTemplates, legacy: true, modern: true, cached: &listed}
	case "resources/read":
		return standardMethod{run: readResource, legacy: true, modern: true, cached: &fresh}
	case "resources/subscribe":
		return standardMethod{run: subscribeResource, legacy: true}
	case "resources/unsubscribe":
		return standardMethod{run: unsubscribeResource, legacy: true}
	case "prompts/list":
		return standardMethod{run: listPrompts, legacy: true, modern: true, cached: &listed}
	case "prompts/get":
		return standardMethod{run: getPrompt, legacy: true, modern: true}
	case "completion/complete":
		return standardMethod{run: completeArgument, legacy: true, modern: true}
	case "skills/list":
		return standardMethod{run: guide(listGuides), modern: true, cached: &guided}
	case "skills/get":
		return standardMethod{run: guide(getGuide), modern: true, cached: &guided}
	case "resources/directory/read":
		return standardMethod{run: guide(readDirectory), modern: true}
	case "state/subscribe":
		return standardMethod{run: stateMethod(subscribe), legacy: true}
	case "state/unsubscribe":
		return standardMethod{run: stateMethod(unsubscribe), legacy: true}
	case "aoi/declare":
		return standardMethod{run: stateMethod(declare), legacy: true}
	case "logging/setLevel":
		return standardMethod{run: setLevel, legacy: true}
	default:
		return standardMethod{}
	}
}

// initialized is the end of the handshake: from now on notifications may come.
func initialized(c *conn, _ *message) ([]byte, *rpcError) {
	b := *c.bound.Load()
	b.ready = true
	c.bound.Store(&b)
	return nil, nil
}

// discover says what is served.
func discover(c *conn, m *message) ([]byte, *rpcError) {
	result := append(appendVersions([]byte(`{"supportedVersions":`)), `,"capabilities":`...)
	result = c.appendCapabilities(result, true)
	result = appendField(result, "instructions", c.mcp.instructions(m.as.session))
	return append(result, '}'), nil
}

// appendCapabilities appends what the server can do, as it tells clients of one era on this connection.
func (c *conn) appendCapabilities(dst []byte, modern bool) []byte {
	dst = append(dst, `{"tools":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},"prompts":{"listChanged":true},"completions":{},"logging":{}`...)
	extensions := []byte{'{'}
	o := &c.mcp.opts
	_, pushes := c.framer.(Pusher)
	switch {
	case modern:
		extensions = append(appendKey(extensions, tasksExtension), "{}"...)
		if o.Guides != nil {
			extensions = append(appendKey(extensions, skillsExtension), `{"directoryRead":true}`...)
		}
		if o.State != nil {
			extensions = append(appendKey(extensions, stateExtension), `{"encodings":["json","packed"]}`...)
		}
	case pushes && o.State != nil:
		extensions = append(appendKey(extensions, stateExtension), `{"encodings":["json","packed","binary"]}`...)
	}
	if len(extensions) > 1 {
		dst = append(append(append(dst, `,"extensions":`...), extensions...), '}')
	}
	return append(dst, '}')
}

// appendServerInfo appends who the server is.
func (m *Mcp) appendServerInfo(dst []byte) []byte {
	dst = append(dst, '{')
	dst = appendField(dst, "name", m.opts.Name)
	dst = appendField(dst, "title", m.opts.Title)
	dst = appendField(dst, "version", m.opts.Version)
	return append(dst, '}')
}

package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
)

// wanted are the tools that the suite calls by name.
const wanted = `test_simple_text test_image_content test_audio_content test_embedded_resource test_multiple_content_types
	test_error_handling test_tool_with_progress test_tool_with_logging test_sampling test_elicitation test_elicitation_sep1034_defaults
	test_elicitation_sep1330_enums test_reconnection json_schema_2020_12_tool test_missing_capability test_streaming_elicitation
	test_logging_tool test_trigger_tool_change test_trigger_prompt_change test_input_required_result_elicitation
	test_input_required_result_sampling test_input_required_result_list_roots test_input_required_result_request_state
	test_input_required_result_multiple_inputs test_input_required_result_multi_round test_input_required_result_tampered_state
	test_input_required_result_capabilities greet slow_compute failing_job protocol_error_job confirm_delete multi_input
	test_tool_with_task`

// Everything that the suite asks for can be registered, and what answers with content does so.
func TestFixtures(t *testing.T) {
	core, err := newCore(zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	s, err := core.Open(mcp.Identity{AgentID: "suite", SessionID: "s", Profile: "builder.readWrite", Kind: profiles.KindOperator})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range core.ListTools(s) {
		names = append(names, tool.Name)
	}
	for _, name := range strings.Fields(wanted) {
		if !slices.Contains(names, name) {
			t.Errorf("no tool %s", name)
		}
	}
	for _, tool := range contentTools() {
		input := "{}"
		if tool.name == "json_schema_2020_12_tool" {
			input = `{"name":"a","phone":"1","contactMethod":"phone"}`
		}
		r := core.CallTool(t.Context(), s, mcp.Request{Tool: tool.name, Input: []byte(input)})
		if r.Success == (tool.name == "test_error_handling") {
			t.Errorf("%s: success %v, %v", tool.name, r.Success, r.Error)
		}
	}
}

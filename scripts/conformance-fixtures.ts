/** The tools that the MCP conformance suite calls, behind this project's endpoint. */
import { createHostGuard } from '../src/http/host-guard.ts';
import { startHttpServer } from '../src/http/server.ts';
import { silentLogger } from '../src/ports/logger.ts';
import { systemRandom } from '../src/ports/random.ts';
import { createFront } from '../src/service/front.ts';
import { createMcpRoute } from '../src/service/mcp/mcp-route.ts';
import { createToolCatalogue, type Tool } from '../src/service/mcp/tools.ts';

/** One red pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

/** A WAV header without samples. */
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const TEXT = { type: 'text', text: 'This is a simple text response for testing.' };
const IMAGE = { type: 'image', data: PNG, mimeType: 'image/png' };
const AUDIO = { type: 'audio', data: WAV, mimeType: 'audio/wav' };

function resource(uri: string, mimeType: string, text: string) {
  return { type: 'resource', resource: { uri, mimeType, text } };
}

function tool(
  name: string,
  content: readonly object[],
  inputSchema: Tool['definition']['inputSchema'] = { type: 'object', additionalProperties: false },
): Tool {
  return {
    definition: { name, description: `Fixture of the conformance suite: ${name}`, inputSchema },
    effect: 'local',
    call: async () => ({ content }) as never,
  };
}

const TOOLS: readonly Tool[] = [
  tool('test_simple_text', [TEXT]),
  tool('test_image_content', [IMAGE]),
  tool('test_audio_content', [AUDIO]),
  tool('test_embedded_resource', [
    resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ]),
  tool('test_multiple_content_types', [
    { type: 'text', text: 'Multiple content types test:' },
    IMAGE,
    resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ]),
  {
    ...tool('test_error_handling', []),
    call: async () => {
      throw new Error('This tool intentionally returns an error for testing');
    },
  },
  tool('json_schema_2020_12_tool', [TEXT], {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // oxlint-disable-next-line unicorn/no-thenable -- the suite requires this JSON Schema keyword
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  }),
];

/** Starts the endpoint with the suite's tools on a free loopback port. */
export async function startFixtureService() {
  const tools = createToolCatalogue(TOOLS, silentLogger);
  const handler = createFront([createMcpRoute({ tools, bodyBytesMax: 65_536, publicOrigin: undefined })], {
    hostGuard: createHostGuard({ boundHost: '127.0.0.1', allowedHosts: [], allowedOrigins: [] }),
    surroundings: { logger: silentLogger, random: systemRandom },
  });
  const server = await startHttpServer('127.0.0.1', 0, handler);
  return { url: `${server.url}/mcp`, close: () => server.close() };
}

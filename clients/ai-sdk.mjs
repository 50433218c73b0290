import { createMCPClient } from '@ai-sdk/mcp';

/** The client of the AI SDK. Calls each tool's `execute`, like the SDK's tool loop. */
export const clients = [{ name: '@ai-sdk/mcp', connect }];

async function connect(endpoint) {
  const client = await createMCPClient({ transport: { type: 'http', url: endpoint } });
  const listed = await client.listTools();
  const tools = client.toolsFromDefinitions(listed);
  return {
    listTools: async () => listed.tools,
    callTool: (name, args) => tools[name].execute(args, { toolCallId: name, messages: [] }),
    close: () => client.close(),
  };
}

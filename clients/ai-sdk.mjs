import { createMCPClient } from '@ai-sdk/mcp';

/**
 * The AI SDK's client. Tools are called as a model's tool loop calls them: through `execute` of the tool it
 * is given.
 */
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

import { createRuntime } from 'mcporter';

const SERVER = 'spl';

/**
 * mcporter, which agents use to call MCP servers from scripts. It gets the server here and reads no settings.
 */
export const clients = [{ name: 'mcporter', connect }];

async function connect(endpoint) {
  const command = { kind: 'http', url: new URL(endpoint), headers: {} };
  const runtime = await createRuntime({ servers: [{ name: SERVER, command }] });
  return {
    listTools: () => runtime.listTools(SERVER, { includeSchema: true }),
    callTool: (name, args) => runtime.callTool(SERVER, name, { args }),
    close: () => runtime.close(),
  };
}

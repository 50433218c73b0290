import { SERVER_INFO } from '../service/server-info.ts';

/** How long a service of this machine may take to say who it is, ms. */
const ANSWER_MS_MAX = 1_000;

/** Whether the tool service answers at an address: by what its MCP endpoint says of itself. */
export async function isService(url: URL): Promise<boolean> {
  try {
    const response = await fetch(new URL('/mcp', url), {
      headers: { accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
    const said = (await response.json()) as { name?: unknown } | null;
    return response.ok && said?.name === SERVER_INFO.name;
  } catch {
    return false;
  }
}

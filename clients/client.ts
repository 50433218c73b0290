/** A tool in a client's list. */
export interface ListedTool {
  readonly name: string;
  readonly inputSchema: object;
  readonly outputSchema?: object;
}

/** A tool result as a client returns it. */
export interface ToolAnswer {
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: Record<string, unknown>;
}

/** A connected client. It throws on every protocol error. */
export interface Connection {
  listTools(): Promise<readonly ListedTool[]>;
  callTool(name: string, args: object): Promise<ToolAnswer>;
  close(): Promise<void>;
}

/** A client for MCP endpoints. */
export interface McpClient {
  /** Package name, plus a label that distinguishes clients of the same package. */
  readonly name: string;
  connect(endpoint: string): Promise<Connection>;
}

/** The modules with the clients. Each exports `clients`. */
const MODULES = ['official.mjs', 'ai-sdk.mjs', 'mcporter.mjs'];

/** Loads every client. Their packages must be installed in this folder. */
export async function loadClients(): Promise<readonly McpClient[]> {
  const modules = await Promise.all(
    MODULES.map((file) => import(new URL(file, import.meta.url).href) as Promise<{ clients: McpClient[] }>),
  );
  return modules.flatMap(({ clients }) => clients);
}

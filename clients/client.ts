/** A tool as a client lists it. */
export interface ListedTool {
  readonly name: string;
  readonly inputSchema: object;
  readonly outputSchema?: object;
}

/** What a client hands on of a tool's answer. */
export interface ToolAnswer {
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: Record<string, unknown>;
}

/** A client that has shaken hands. Whatever it finds wrong with the protocol it throws. */
export interface Connection {
  listTools(): Promise<readonly ListedTool[]>;
  callTool(name: string, args: object): Promise<ToolAnswer>;
  close(): Promise<void>;
}

/** A way to reach an MCP endpoint. */
export interface McpClient {
  /** Package, and what tells it from others with the same package. */
  readonly name: string;
  connect(endpoint: string): Promise<Connection>;
}

/** The modules with the clients; each exports `clients`. */
const MODULES = ['official.mjs', 'ai-sdk.mjs', 'mcporter.mjs'];

/** Loads every client. Their packages must be installed in this folder. */
export async function loadClients(): Promise<readonly McpClient[]> {
  const modules = await Promise.all(
    MODULES.map((file) => import(new URL(file, import.meta.url).href) as Promise<{ clients: McpClient[] }>),
  );
  return modules.flatMap(({ clients }) => clients);
}

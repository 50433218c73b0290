// The peer: a server with the official MCP SDK, the MagicBlock SDK and web3.js, started with `peer-server.mjs
// LEDGER_URL VALIDATOR`. Each POST gets a new McpServer, as the SDK documents for stateless servers. The
// blockhash is fetched once, because only building and responding are measured.
import { createServer } from 'node:http';
import { delegatePrivateSpl } from '@magicblock-labs/ephemeral-rollups-sdk';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { Connection, PublicKey, Transaction } from '@solana/web3.js';
import { z } from 'zod';

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const [ledgerUrl, validator] = process.argv.slice(2);

const input = {
  owner: z.string(),
  amount: z.number().int().positive(),
  mint: z.string().optional(),
  initIfMissing: z.boolean().optional(),
  initAtasIfMissing: z.boolean().optional(),
  initVaultIfMissing: z.boolean().optional(),
  idempotent: z.boolean().optional(),
};
const output = {
  kind: z.string(),
  version: z.string(),
  transactionBase64: z.string(),
  sendTo: z.string(),
  recentBlockhash: z.string(),
  lastValidBlockHeight: z.number(),
  instructionCount: z.number(),
  requiredSigners: z.array(z.string()),
  validator: z.string(),
};

const connection = new Connection(ledgerUrl, 'confirmed');
const latest = await connection.getLatestBlockhash();

async function deposit(args) {
  const owner = new PublicKey(args.owner);
  const instructions = await delegatePrivateSpl(
    owner,
    new PublicKey(args.mint ?? USDC),
    BigInt(args.amount),
    {
      validator: new PublicKey(validator),
      initIfMissing: args.initIfMissing ?? true,
      initVaultIfMissing: args.initVaultIfMissing ?? false,
    },
  );
  const transaction = new Transaction({ feePayer: owner, ...latest }).add(...instructions);
  const wire = transaction.serialize({ requireAllSignatures: false, verifySignatures: false });
  const structuredContent = {
    kind: 'deposit',
    version: 'legacy',
    transactionBase64: wire.toString('base64'),
    sendTo: 'base',
    recentBlockhash: latest.blockhash,
    lastValidBlockHeight: latest.lastValidBlockHeight,
    instructionCount: instructions.length,
    requiredSigners: [owner.toBase58()],
    validator,
  };
  return {
    content: [{ type: 'text', text: 'Built an unsigned SPL deposit transaction.' }],
    structuredContent,
  };
}

const http = createServer(async (request, response) => {
  const server = new McpServer({ name: 'peer', version: '0.1.0' });
  const description = 'Build an unsigned base-chain deposit transaction.';
  server.registerTool('spl.deposit', { description, inputSchema: input, outputSchema: output }, deposit);
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: true,
  });
  response.on('close', () => {
    transport.close();
    server.close();
  });
  await server.connect(transport);
  await transport.handleRequest(request, response);
});
http.listen(0, '127.0.0.1', () => process.stdout.write(`ready ${http.address().port}\n`));

import { call, rpcText, toolCall } from './call.ts';
import { TOKEN_PROGRAM, USDC_MINT } from '../src/programs/addresses.ts';
import { deriveAta } from '../src/programs/associated-token.ts';
import type { Address } from '../src/solana/address.ts';
import { decodeBase58 } from '../src/solana/base58.ts';
import { signer, writable } from '../src/solana/instruction.ts';
import { compileLegacyMessage, encodeUnsignedTransaction } from '../src/solana/message.ts';
import { newWallet } from './wallet.ts';

/** One kind of request, sent to one server. */
interface BenchCase {
  readonly name: string;
  readonly server: 'service' | 'ledger' | 'peer';
  readonly path: string;
  readonly bodies: readonly string[];
  /** Makes the bodies anew for each round, where they must not grow old. */
  readonly renew?: () => Promise<readonly string[]>;
  readonly accepts: (body: string) => boolean;
  /** The peer's case that does the same job. */
  readonly twin?: string;
  /** What of the ledger it is in process (ledger/in-process.mjs). */
  readonly inProcess?: 'getAccount' | 'simulate';
}

/** What the requests are made of. */
export interface Workload {
  /** Wallets that hold SOL and USDC, so that a deposit needs no warning. */
  readonly owners: readonly Address[];
  /** Unsigned token transfers between them, base64. */
  readonly transfers: readonly string[];
  /** The same on the newest blockhash. */
  readonly freshTransfers: () => Promise<readonly string[]>;
}

const OWNERS = 64;

/** Explaining reads the accounts of a transaction, asks whose its blockhash is and tries it. */
export const EXPLAIN = 'tools/call spl.explainTransaction, token transfer';

/** Funds wallets on the ledger node and writes the transactions to simulate. */
export async function prepareWorkload(ledgerUrl: string): Promise<Workload> {
  const owners = Array.from({ length: OWNERS }, newWallet);
  for (const owner of owners) {
    await call(ledgerUrl, 'requestAirdrop', [owner, 1_000_000_000]);
    await call(ledgerUrl, 'requestTokenAirdrop', [owner, USDC_MINT, 1_000_000_000]);
  }
  const freshTransfers = async (): Promise<string[]> => {
    const { value } = await call<{ value: { blockhash: string } }>(ledgerUrl, 'getLatestBlockhash');
    return owners.map((owner, i) =>
      transferOf(owner, owners[(i + 1) % OWNERS] as Address, decodeBase58(value.blockhash)),
    );
  };
  return { owners, transfers: await freshTransfers(), freshTransfers };
}

/** Every row of the table but the floor. */
export function cases({ owners, transfers, freshTransfers }: Workload): BenchCase[] {
  const deposits = owners.map(depositOf);
  const depositBodies = owners.map(depositRequest);
  const transferBodies = owners.map((from, i) =>
    toolCall('spl.transfer', {
      from,
      to: owners[(i + 1) % OWNERS],
      mint: USDC_MINT,
      amount: 1_000_000,
      cluster: 'devnet',
    }),
  );
  const isBuilt = (body: string): boolean => body.includes('"transactionBase64":"AQAA');
  const listsTools = (body: string): boolean => body.includes('"tools":[');
  const initialised = (body: string): boolean => body.includes('"serverInfo"');
  const initialize = rpcText('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  });
  const onLedger = { server: 'ledger', path: '/' } as const;
  const onService = { server: 'service', path: '/mcp' } as const;
  const onPeer = { server: 'peer', path: '/mcp' } as const;
  return [
    { ...onService, name: 'initialize', bodies: [initialize], accepts: initialised, twin: 'peer initialize' },
    {
      ...onService,
      name: 'tools/list',
      bodies: [rpcText('tools/list')],
      accepts: listsTools,
      twin: 'peer tools/list',
    },
    {
      ...onService,
      name: 'tools/call spl.deposit',
      bodies: depositBodies,
      accepts: isBuilt,
      twin: 'peer tools/call spl.deposit',
    },
    {
      server: 'service',
      path: '/v1/spl/deposit',
      name: 'POST /v1/spl/deposit',
      bodies: deposits.map((body) => JSON.stringify(body)),
      accepts: isBuilt,
      twin: 'peer tools/call spl.deposit',
    },
    {
      ...onService,
      name: 'tools/call spl.transfer, private, one read upstream',
      bodies: transferBodies,
      accepts: isBuilt,
    },
    {
      ...onService,
      name: EXPLAIN,
      bodies: transfers.map(explainRequest),
      renew: async () => (await freshTransfers()).map(explainRequest),
      accepts: (body) => body.includes('"verdict":"clear"'),
    },
    { ...onPeer, name: 'peer initialize', bodies: [initialize], accepts: initialised },
    { ...onPeer, name: 'peer tools/list', bodies: [rpcText('tools/list')], accepts: listsTools },
    { ...onPeer, name: 'peer tools/call spl.deposit', bodies: depositBodies, accepts: isBuilt },
    {
      ...onLedger,
      name: 'getAccountInfo, token account',
      bodies: owners.map((owner) => rpcText('getAccountInfo', [ataOf(owner), { encoding: 'base64' }])),
      accepts: (body) => body.includes('"base64"]'),
      inProcess: 'getAccount',
    },
    {
      ...onLedger,
      name: 'getSlot',
      bodies: [rpcText('getSlot')],
      accepts: (body) => body.includes('"result":'),
    },
    {
      ...onLedger,
      name: 'simulateTransaction, token transfer',
      // A replaced blockhash keeps the requests good however long the run takes.
      bodies: transfers.map((text) =>
        rpcText('simulateTransaction', [text, { encoding: 'base64', replaceRecentBlockhash: true }]),
      ),
      accepts: (body) => body.includes('"err":null'),
      inProcess: 'simulate',
    },
  ];
}

/** The text of a `tools/call` that builds a deposit. */
export function depositRequest(owner: Address): string {
  return toolCall('spl.deposit', depositOf(owner));
}

const explainRequest = (transactionBase64: string): string =>
  toolCall('spl.explainTransaction', { transactionBase64, sendTo: 'base' });

const depositOf = (owner: Address): object => ({ owner, amount: 1_000_000 });

const ataOf = (wallet: Address): Address => deriveAta(wallet, USDC_MINT, TOKEN_PROGRAM).address;

function transferOf(owner: Address, recipient: Address, blockhash: Uint8Array): string {
  // SPL Token `Transfer` (tag 3) of one base unit.
  const data = Uint8Array.of(3, 1, 0, 0, 0, 0, 0, 0, 0);
  const accounts = [writable(ataOf(owner)), writable(ataOf(recipient)), signer(owner)];
  const message = compileLegacyMessage({
    feePayer: owner,
    blockhash,
    instructions: [{ programId: TOKEN_PROGRAM, accounts, data }],
  });
  return Buffer.from(encodeUnsignedTransaction(message)).toString('base64');
}

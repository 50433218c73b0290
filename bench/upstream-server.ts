// A cluster that responds from memory: a base ledger and a rollup of layout B with USDC, its vault and its
// queue. The service uses it as devnet. Response members are in Agave's order.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { deriveFeesVaultOf, deriveMintVault } from '../src/payments/accounts/deposit-accounts.ts';
import { queueAccountsOf } from '../src/payments/accounts/transfer-queue.ts';
import { RENT_PDA } from '../src/payments/fees/costs.ts';
import {
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  SYSVAR_OWNER,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../src/programs/addresses.ts';
import { deriveAta } from '../src/programs/associated-token.ts';
import { RENT_SYSVAR, rentSysvarData } from '../src/programs/sysvars.ts';
import { MINT_BYTES, TOKEN_ACCOUNT_BYTES } from '../src/programs/token/state.ts';
import { type Address, writeAddress } from '../src/solana/address.ts';
import { encodeBase58 } from '../src/solana/base58.ts';

const VALIDATOR = 'mAGicPQYBMvcYveUZA5F5UNNwyHvfYh5xkLS2Fr1mev' as Address;

/** `rentEpoch` of rent-exempt accounts (Agave RENT_EXEMPT_RENT_EPOCH). It exceeds a JavaScript number. */
const U64_MAX = '18446744073709551615';
const SLOT_MS = 400;
/** Rent with its two years of exemption (Agave `Rent::default`). */
const LAMPORTS_PER_BYTE = 6_960n;

const accountOf = (owner: Address, data: Uint8Array): object => ({
  data: [Buffer.from(data).toString('base64'), 'base64'],
  executable: false,
  lamports: 1_000_000_000,
  owner,
  rentEpoch: U64_MAX,
  space: data.length,
});

/** SPL Token `Mint` with 6 decimals. */
function mintData(): Uint8Array {
  const data = new Uint8Array(MINT_BYTES);
  data[44] = 6;
  data[45] = 1;
  return data;
}

/** SPL Token `Account` with 100 USDC. */
function tokenAccount(owner: Address): object {
  const data = new Uint8Array(TOKEN_ACCOUNT_BYTES);
  writeAddress(data, 0, USDC_MINT);
  writeAddress(data, 32, owner);
  new DataView(data.buffer).setBigUint64(64, 100_000_000n, true);
  data[108] = 1;
  return accountOf(TOKEN_PROGRAM, data);
}

const { vault, vaultAta } = deriveMintVault(USDC_MINT, TOKEN_PROGRAM);
const vaultData = new Uint8Array(65);
writeAddress(vaultData, 0, USDC_MINT);
writeAddress(vaultData, 32, vaultAta);
const lasting = new Map<Address, object>([
  [USDC_MINT, accountOf(TOKEN_PROGRAM, mintData())],
  [vault.address, accountOf(EPHEMERAL_TOKEN_PROGRAM, vaultData)],
  [vaultAta, tokenAccount(vault.address)],
  [
    queueAccountsOf(USDC_MINT, VALIDATOR, TOKEN_PROGRAM).queue,
    accountOf(DELEGATION_PROGRAM, new Uint8Array(80)),
  ],
  [deriveFeesVaultOf(VALIDATOR), accountOf(DELEGATION_PROGRAM, new Uint8Array(8))],
  [RENT_SYSVAR, accountOf(SYSVAR_OWNER, rentSysvarData(LAMPORTS_PER_BYTE))],
  [RENT_PDA, accountOf(SYSTEM_PROGRAM, new Uint8Array())],
]);
const wallets = new Map<Address, object>();

const context = { apiVersion: '4.2.1', slot: 1_000 };
const methods: Record<string, (params: readonly unknown[]) => unknown> = {
  getIdentity: () => ({ identity: VALIDATOR }),
  getLatestBlockhash: () => {
    const height = Math.floor(performance.now() / SLOT_MS);
    const blockhash = encodeBase58(createHash('sha256').update(`block ${height}`).digest());
    return { context, value: { blockhash, lastValidBlockHeight: height + 150 } };
  },
  getMultipleAccounts: ([addresses]) => ({
    context,
    value: (addresses as Address[]).map((address) => wallets.get(address) ?? lasting.get(address) ?? null),
  }),
  /** Gives these wallets SOL and USDC, and drops all previous wallets. A real cluster has no such method. */
  fund: (owners) => {
    wallets.clear();
    for (const owner of owners as Address[]) {
      wallets.set(owner, accountOf(SYSTEM_PROGRAM, new Uint8Array()));
      wallets.set(deriveAta(owner, USDC_MINT, TOKEN_PROGRAM).address, tokenAccount(owner));
    }
    return null;
  },
};

const server = createServer((request, response) => {
  void text(request).then((body) => {
    const { id, method, params } = JSON.parse(body) as { id: unknown; method: string; params: unknown[] };
    const result = methods[method]?.(params);
    const answer = JSON.stringify({ jsonrpc: '2.0', result, id }).replaceAll(`"${U64_MAX}"`, U64_MAX);
    response.setHeader('content-type', 'application/json');
    response.end(answer);
  });
});
// Longer than any pause between two calls of the benchmark.
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`ready ${(server.address() as { port: number }).port}\n`);
});

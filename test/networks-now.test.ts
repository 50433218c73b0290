import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LoopbackServer, serveHttp } from '../src/chain/testing/loopback-server.ts';
import { Keypair } from '../src/ledger/keypair.ts';
import { LAYOUT_B_FOLDER, NO_LAYOUT_B } from '../src/ledger/network-programs/testing/layout-b-dumps.ts';
import { signedVersion1 } from '../src/ledger/testing/version-1.ts';
import { systemRandom } from '../src/ports/random.ts';
import { USDC_MINT } from '../src/programs/addresses.ts';
import { transferLamports } from '../src/programs/system.ts';
import { addressBytes } from '../src/solana/address.ts';
import { encodeBase58 } from '../src/solana/base58.ts';
import { decodeTransaction } from '../src/solana/transaction.ts';
import { signMissing } from '../src/wallets/sign-missing.ts';
import { Party } from './arrival/party.ts';
import { runApp, type RunningApp } from './client/running-app.ts';
import { temporaryFolder } from './folders.ts';
import { IS_LONG } from './length.ts';
import { type Service, startService } from './upstreams/start-service.ts';

/** The costs that the service reports for a cluster with current rents, slots and finality. */

const RENTS = IS_LONG ? [696, 5_080, 13_920] : [5_080];

/** The bytes of a delegation record and its metadata, including the overhead charged for each account. */
const DELEGATION_BYTES = 477n;

const newAddress = () => new Keypair(systemRandom.bytes(32)).address;

/** The explained lamports of a transaction for its wallet, and the transaction. */
interface Explained {
  readonly wallet: { readonly lamportsMin?: string };
  readonly findings: readonly { readonly code: string }[];
  readonly verdict: string;
}

interface Built {
  readonly transactions?: readonly Built[];
  readonly setupTransaction?: Built;
  readonly code?: string;
  readonly warnings?: readonly { readonly code: string }[];
  readonly transactionBase64: string;
  readonly sendTo: string;
}

/** A base ledger as it shows itself with Alpenglow: one certificate, so that nothing is ever just confirmed. */
async function serveWithoutConfirmed(ledgerUrl: string): Promise<LoopbackServer> {
  const seen = new Set<string>();
  const withoutConfirmed = ({ method, params }: Call, answer: Answer): Answer => {
    const statuses = method === 'getSignatureStatuses' ? (answer.result?.value ?? []) : [];
    for (const [index, status] of statuses.entries()) {
      if (status === null) continue;
      const signature = (params as [string[]])[0][index] as string;
      status.confirmationStatus = seen.has(signature) ? 'finalized' : 'processed';
      seen.add(signature);
    }
    return answer;
  };
  return await serveHttp((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      void (async () => {
        const body = Buffer.concat(chunks).toString();
        const headers = { 'content-type': 'application/json' };
        const answered = await fetch(ledgerUrl, { method: 'POST', headers, body });
        const calls = JSON.parse(body) as Call | Call[];
        const text = await answered.text();
        response.setHeader('content-type', 'application/json');
        const isOfStatuses = body.includes('getSignatureStatuses');
        response.end(
          isOfStatuses
            ? JSON.stringify(
                Array.isArray(calls)
                  ? (JSON.parse(text) as Answer[]).map((one) =>
                      withoutConfirmed(calls.find(({ id }) => id === one.id) as Call, one),
                    )
                  : withoutConfirmed(calls, JSON.parse(text) as Answer),
              )
            : text,
        );
      })();
    });
  });
}

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params?: readonly unknown[];
}

interface Answer {
  readonly id: number;
  readonly result?: { readonly value?: ({ confirmationStatus: string } | null)[] };
}

describe.skipIf(LAYOUT_B_FOLDER === null).each(RENTS)(
  `with a cluster that charges %d lamports a byte (needs ${NO_LAYOUT_B})`,
  (rent) => {
    let cluster: RunningApp;
    let front: RunningApp;
    let folder: string;
    let service: Service;
    const sponsorSeed = new Uint8Array(32).fill(41);
    const sponsor = new Keypair(sponsorSeed);

    beforeAll(async () => {
      folder = await temporaryFolder(afterAll);
      cluster = await runApp(LAYOUT_B_FOLDER ?? '', { LEDGER_SLOT_MS: '200' }, { rentPerByte: rent });
      afterAll(() => cluster.close());
      const proxy = await serveWithoutConfirmed(cluster.ledgerUrl);
      afterAll(() => proxy.close());
      service = await startService(
        {
          CLUSTER: 'mainnet-private',
          BASE_LAYOUT: 'b',
          LEDGER_UPSTREAM_URL: proxy.url.href,
          BASE_RPC_URL: proxy.url.href,
          EPHEMERAL_TEE_RPC_URL: cluster.rollupUrl,
          PRIVATE_BASE_TO_BASE_TRANSFER_MAINNET_LOOKUP_TABLE: 'none',
          GASLESS_SPONSOR_SECRET_KEY: JSON.stringify([...sponsorSeed, ...addressBytes(sponsor.address)]),
        },
        afterAll,
      );
      front = { ...cluster, serviceUrl: service.client.origin };
    });

    /** Lamports of an address on base. */
    const lamportsOf = async (address: string): Promise<bigint> =>
      BigInt(((await cluster.ask('getBalance', address)) as { value: number }).value);

    /** The lamports that the sponsor has spent, from its metrics. */
    const spentBySponsor = async (): Promise<bigint> => {
      const { text } = await service.client.get('/metrics');
      return BigInt(/^sponsor_budget_lamports\{part="spent"\} (\d+)$/m.exec(text)?.[1] ?? -1);
    };

    const build = async (party: Party, path: string, body: object): Promise<Built> => {
      for (;;) {
        const built = (await party.call(path, body)) as unknown as Built;
        if (built.code === 'EATA_SETTLING') continue;
        expect(built.code).toBeUndefined();
        expect(built.warnings?.map(({ code }) => code) ?? []).not.toContain('INSUFFICIENT_LAMPORTS');
        return built;
      }
    };

    /** Explains, signs and sends; returns the announced and the actual lamports. */
    const land = async (party: Party, built: Built, payer = party.address) => {
      const { transactionBase64, sendTo } = built;
      const asked = { transactionBase64, sendTo, wallet: payer };
      const explained = (await party.call('transaction/explain', asked)) as unknown as Explained;
      const before = await lamportsOf(payer);
      const signed = signOne(party.keypair, transactionBase64);
      const sent = await party.call('transaction/send', { transactionBase64: signed, sendTo, confirm: true });
      expect(explained.verdict).not.toBe('danger');
      expect(sent).toMatchObject({ outcome: 'confirmed' });
      const paid = before - (await lamportsOf(payer));
      return { explained, said: -BigInt(explained.wallet.lamportsMin ?? 0), paid };
    };

    const pay = async (party: Party, path: string, body: object): Promise<void> =>
      payBuilt(party, path, await build(party, path, body));

    const payBuilt = async (party: Party, path: string, built: Built): Promise<void> => {
      const { said, paid } = await land(party, built);
      // What an undelegation gives back to its payer on base comes later, and is not promised.
      if (built.sendTo === 'base') expect({ path, paid }).toEqual({ path, paid: said });
      else expect(paid).toBeLessThanOrEqual(said);
    };

    it('returns the cost of every operation, to the lamport', { timeout: 60_000 }, async () => {
      const mint = USDC_MINT;
      const alice = await Party.create(front, folder);
      await alice.setTokens({ amount: 100_000_000 });
      const owner = alice.address;
      await pay(alice, 'spl/initialize-mint', { payer: owner, mint });
      await pay(alice, 'spl/deposit', { owner, mint, amount: 5_000_000 });
      await pay(alice, 'spl/deposit', { owner, mint, amount: 5_000_000 });
      const transfer = { from: owner, mint, amount: 1_000_000 };
      await pay(alice, 'spl/transfer', {
        ...transfer,
        to: newAddress(),
        visibility: 'public',
        initRecipientAta: true,
      });
      const bob = await Party.create(front, folder);
      await bob.setTokens({ amount: 1_000_000 });
      await pay(bob, 'spl/deposit', { owner: bob.address, mint, amount: 1 });
      for (const fromBalance of ['base', 'ephemeral']) {
        for (const toBalance of ['base', 'ephemeral']) {
          const balances = { fromBalance, toBalance, visibility: 'private' };
          await pay(alice, 'spl/transfer', { ...transfer, ...balances, to: bob.address });
        }
      }
      await pay(alice, 'spl/withdraw', { owner, mint, amount: 1_000_000 });
      await pay(alice, 'spl/undelegate-ephemeral-ata', { payer: owner, mint });
      await pay(alice, 'spl/withdraw', { owner, mint, amount: 1_000_000 });
      const { transactions } = await build(alice, 'spl/lookup-table', { payer: owner, mints: [mint] });
      for (const one of transactions ?? []) await payBuilt(alice, 'spl/lookup-table', one);
      const handle = { payer: owner, authority: owner, handle: 'alice', destinations: [owner] };
      const pool = await build(alice, 'spl/stealth-pool', handle);
      await payBuilt(alice, 'spl/stealth-pool', pool.setupTransaction as Built);
    });

    it('reserves the maximum cost for a sponsor, to the lamport', async () => {
      const alice = await Party.create(front, folder);
      await alice.setTokens({ amount: 100_000_000 });
      await cluster.ask('requestAirdrop', sponsor.address, 10_000_000_000);
      await cluster.ask('surfnet_setTokenAccount', sponsor.address, USDC_MINT, { amount: 0 });
      const asked = { from: alice.address, to: newAddress(), mint: USDC_MINT, amount: 1_000_000 };
      const payGasless = async () => {
        const before = await spentBySponsor();
        const built = await build(alice, 'spl/transfer', { ...asked, visibility: 'private', gasless: true });
        const held = (await spentBySponsor()) - before;
        const { said, paid } = await land(alice, built, sponsor.address);
        expect(said).toBe(paid);
        return { held, paid };
      };
      const first = await payGasless();
      expect(first.held).toBe(first.paid);
      const second = await payGasless();
      // The sender's account is delegated by now, but may be given back before the payment lands.
      expect(second.held).toBe(second.paid + DELEGATION_BYTES * BigInt(rent));
    });

    it('explains, sends and shows a version 1 transaction', async () => {
      const alice = await Party.create(front, folder);
      const { value } = (await cluster.ask('getLatestBlockhash')) as { value: { blockhash: string } };
      const source = {
        feePayer: alice.keypair.address,
        blockhash: value.blockhash,
        instructions: [transferLamports(alice.keypair.address, newAddress(), 1_000_000_000n)],
        priorityFee: 1_234n,
      };
      const { wire, signatures } = signedVersion1(source, [alice.keypair]);
      const transactionBase64 = Buffer.from(wire).toString('base64');
      const { explained, said, paid } = await land(alice, { transactionBase64, sendTo: 'base' });
      expect(explained).toMatchObject({ verdict: 'clear', version: 'v1' });
      expect([said, paid]).toEqual([1_000_006_234n, 1_000_006_234n]);
      const signature = encodeBase58(signatures[0] as Uint8Array);
      const shownUpTo = (version: number) =>
        ask(service.ledgerUrl, 'getTransaction', signature, { maxSupportedTransactionVersion: version });
      expect(await shownUpTo(1)).toMatchObject({ result: { version: 1 } });
      expect(await shownUpTo(0)).toMatchObject({ error: { code: -32015 } });
    });
  },
);

async function ask(url: string, method: string, ...params: readonly unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  return await response.json();
}

/** Adds a wallet's signature; a sponsor's is there already. */
function signOne(keypair: Keypair, transactionBase64: string): string {
  const transaction = decodeTransaction(new Uint8Array(Buffer.from(transactionBase64, 'base64')));
  const { wire } = signMissing(transaction, (address) => (address === keypair.address ? keypair : undefined));
  return Buffer.from(wire).toString('base64');
}

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Keypair } from '../ledger/keypair.ts';
import { buildV0 } from '../ledger/testing/build-v0.ts';
import { buildTransaction } from '../ledger/testing/test-ledger.ts';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  USDC_DEVNET_MINT,
  USDC_MINT,
} from '../programs/addresses.ts';
import { createAtaIdempotent, deriveAta } from '../programs/associated-token.ts';
import { transferLamports } from '../programs/system.ts';
import { addressBytes, type Address } from '../solana/address.ts';
import { decodeBase58, encodeBase58 } from '../solana/base58.ts';
import { readonly, signer, writable, writableSigner, type Instruction } from '../solana/instruction.ts';
import { findPda } from '../solana/pda.ts';
import { startTestNode, type TestNode } from './testing/test-node.ts';
import { readZstd } from './testing/read-zstd.ts';
import { addressFilledWith } from './testing/transactions.ts';

let node: TestNode;
let alice: Keypair;
let bob: Keypair;

beforeAll(async () => {
  node = await startTestNode();
  alice = await node.fundedWallet();
  bob = await node.fundedWallet();
  await node.ask('requestTokenAirdrop', alice.address, USDC_MINT, 2_500_000);
  await node.ask('requestTokenAirdrop', bob.address, USDC_MINT, '1');
});

afterAll(() => node.close());

const usdcOf = (owner: { address: Address }): Address =>
  deriveAta(owner.address, USDC_MINT, TOKEN_PROGRAM).address;

/** `TransferChecked` of USDC from one wallet to another. */
function transferUsdc(from: Keypair, to: Keypair, amount: bigint): Instruction {
  const data = Buffer.alloc(10);
  data[0] = 12;
  data.writeBigUInt64LE(amount, 1);
  data[9] = 6;
  return {
    programId: TOKEN_PROGRAM,
    accounts: [writable(usdcOf(from)), readonly(USDC_MINT), writable(usdcOf(to)), signer(from.address)],
    data,
  };
}

/** A transaction of Alice's in base64, on the newest blockhash. */
function fromAlice(...instructions: Instruction[]): string {
  return Buffer.from(buildTransaction(node.ledger, [alice], instructions).wire).toString('base64');
}

interface InContext<T> {
  readonly context: { readonly slot: number };
  readonly value: T;
}

type Value = Readonly<Record<string, unknown>>;

const BASE64 = { encoding: 'base64' };
const NO_ACCOUNT = addressFilledWith(77);

describe('on the real ledger', () => {
  it('the methods about the head agree with each other', async () => {
    const slot = await node.ask<number>('getSlot');
    expect(await node.ask('getBlockHeight')).toBe(slot);
    const latest =
      await node.ask<InContext<{ blockhash: string; lastValidBlockHeight: number }>>('getLatestBlockhash');
    expect(latest.context).toEqual({ apiVersion: '4.2.1', slot: slot + 1 });
    expect(latest.value.lastValidBlockHeight).toBe(slot + 1 + 150);
    const { blockhash } = latest.value;
    expect(await node.ask('isBlockhashValid', blockhash)).toHaveProperty('value', true);
    expect(await node.ask('isBlockhashValid', NO_ACCOUNT)).toHaveProperty('value', false);
    expect(await node.ask('getGenesisHash')).toBe(node.ledger.genesisHash);
    expect(await node.ask('getIdentity')).toEqual({ identity: node.ledger.identity });
  });

  it('time passes between two calls', async () => {
    const before = await node.ask<number>('getSlot');
    node.clock.pass(4_000);
    expect(await node.ask('getSlot')).toBe(before + 10);
    expect(await node.call('getSlot', { minContextSlot: before + 12 })).toEqual({
      error: {
        code: -32016,
        message: 'Minimum context slot has not been reached',
        data: { contextSlot: before + 11 },
      },
    });
  });

  describe('accounts', () => {
    it('show a wallet with the rent epoch in all its digits', async () => {
      expect(await node.callForText('getAccountInfo', `["${bob.address}"]`)).toContain(
        '"value":{"data":"","executable":false,"lamports":10000000000,' +
          '"owner":"11111111111111111111111111111111","rentEpoch":18446744073709551615,"space":0}',
      );
      expect(await node.ask('getBalance', bob.address)).toHaveProperty('value', 10_000_000_000);
      expect(await node.ask('getBalance', NO_ACCOUNT)).toHaveProperty('value', 0);
      expect(await node.ask('getAccountInfo', NO_ACCOUNT)).toHaveProperty('value', null);
    });

    it('show token accounts in every encoding', async () => {
      const address = usdcOf(bob);
      const bytes = Buffer.from(node.ledger.getAccount(address)?.data ?? []);
      const dataIn = async (encoding: string, rest: object = {}): Promise<unknown> =>
        (await node.ask<InContext<Value>>('getAccountInfo', address, { encoding, ...rest })).value['data'];
      const owner = { dataSlice: { offset: 32, length: 32 } };
      expect(bytes).toHaveLength(165);
      expect(await dataIn('base64')).toEqual([bytes.toString('base64'), 'base64']);
      expect(await dataIn('base58', owner)).toEqual([bob.address, 'base58']);
      expect(await dataIn('binary', owner)).toBe(bob.address);
      const [zstd] = (await dataIn('base64+zstd')) as string[];
      expect(readZstd(Buffer.from(zstd as string, 'base64'))).toEqual(bytes);
      expect(await dataIn('jsonParsed')).toMatchObject({
        parsed: {
          info: { mint: USDC_MINT, owner: bob.address, state: 'initialized', tokenAmount: { amount: '1' } },
          type: 'account',
        },
        program: 'spl-token',
      });
      expect(await node.call('getAccountInfo', address)).toHaveProperty('error.code', -32600);
    });

    it('show mints', async () => {
      expect(await node.ask('getAccountInfo', USDC_DEVNET_MINT, { encoding: 'jsonParsed' })).toHaveProperty(
        'value.data.parsed',
        {
          info: {
            decimals: 6,
            freezeAuthority: null,
            isInitialized: true,
            mintAuthority: node.ledger.faucet,
            supply: '0',
          },
          type: 'mint',
        },
      );
    });

    it('that hold tokens are found by their mint, largest first', async () => {
      const { value } = await node.ask<InContext<Value[]>>('getTokenLargestAccounts', USDC_MINT);
      expect(value).toEqual([
        { address: usdcOf(alice), amount: '2500000', decimals: 6, uiAmount: 2.5, uiAmountString: '2.5' },
        { address: usdcOf(bob), amount: '1', decimals: 6, uiAmount: 0.000001, uiAmountString: '0.000001' },
      ]);
      expect(await node.ask('getTokenAccountBalance', usdcOf(bob))).toHaveProperty('value.amount', '1');
      expect(await node.ask('getTokenLargestAccounts', USDC_DEVNET_MINT)).toHaveProperty('value', []);
      expect(await node.call('getTokenLargestAccounts', usdcOf(bob))).toHaveProperty(
        'error.message',
        'Invalid param: Token mint could not be unpacked',
      );
    });
  });

  describe('simulateTransaction', () => {
    it('runs a token transfer and changes nothing', async () => {
      const transaction = fromAlice(transferUsdc(alice, bob, 1_000_000n));
      const { value } = await node.ask<InContext<Value>>('simulateTransaction', transaction, {
        ...BASE64,
        sigVerify: true,
        accounts: { addresses: [usdcOf(bob), NO_ACCOUNT], encoding: 'jsonParsed' },
      });
      expect(value).toMatchObject({
        err: null,
        fee: 5000,
        innerInstructions: null,
        replacementBlockhash: null,
        returnData: null,
        loadedAddresses: { readonly: [], writable: [] },
        accounts: [{ data: { parsed: { info: { tokenAmount: { amount: '1000001' } } } } }, null],
      });
      const amounts = (side: string): unknown[] =>
        (value[side] as Value[]).map((balance) => (balance['uiTokenAmount'] as Value)['amount']).sort();
      expect(amounts('preTokenBalances')).toEqual(['1', '2500000']);
      expect(amounts('postTokenBalances')).toEqual(['1000001', '1500000']);
      expect(value['logs']).toContain(`Program ${TOKEN_PROGRAM} success`);
      expect(value['unitsConsumed']).toBeGreaterThan(0);
      expect(await node.ask('getTokenAccountBalance', usdcOf(bob))).toHaveProperty('value.amount', '1');
    });

    it('shows parsed calls of programs if requested', async () => {
      const newcomer = NO_ACCOUNT;
      const ata = deriveAta(newcomer, USDC_MINT, TOKEN_PROGRAM).address;
      const create = createAtaIdempotent({
        payer: alice.address,
        ata,
        owner: newcomer,
        mint: USDC_MINT,
        tokenProgram: TOKEN_PROGRAM,
      });
      const { value } = await node.ask<InContext<Value>>('simulateTransaction', fromAlice(create), {
        ...BASE64,
        innerInstructions: true,
      });
      const [{ index, instructions }] = value['innerInstructions'] as [
        { index: number; instructions: Value[] },
      ];
      expect(index).toBe(0);
      expect(instructions.map(({ parsed, stackHeight }) => [(parsed as Value)['type'], stackHeight])).toEqual(
        [
          ['getAccountDataSize', 2],
          ['createAccount', 2],
          ['initializeImmutableOwner', 2],
          ['initializeAccount3', 2],
        ],
      );
    });

    it('replaces an expired blockhash and names the new one', async () => {
      const transfer = transferLamports(alice.address, bob.address, 1n);
      const { wire } = buildTransaction(node.ledger, [alice], [transfer], new Uint8Array(32).fill(9));
      const transaction = Buffer.from(wire).toString('base64');
      const simulate = (rest: object): Promise<InContext<Value>> =>
        node.ask('simulateTransaction', transaction, { ...BASE64, ...rest });
      expect((await simulate({})).value).toMatchObject({
        err: 'BlockhashNotFound',
        fee: null,
        unitsConsumed: 0,
      });
      const { value } = await simulate({ replaceRecentBlockhash: true });
      const { blockhash, lastValidBlockHeight } = node.ledger.head();
      expect(value).toMatchObject({ err: null, replacementBlockhash: { blockhash, lastValidBlockHeight } });
    });

    it('finds an invalid signature if verification is requested', async () => {
      const wire = Buffer.from(fromAlice(transferLamports(alice.address, bob.address, 1n)), 'base64').fill(
        1,
        1,
        65,
      );
      const transaction = wire.toString('base64');
      expect(await node.ask('simulateTransaction', transaction, BASE64)).toHaveProperty('value.err', null);
      const { value } = await node.ask<InContext<Value>>('simulateTransaction', transaction, {
        ...BASE64,
        sigVerify: true,
      });
      expect(value).toMatchObject({
        err: 'SignatureFailure',
        fee: null,
        logs: [],
        preBalances: null,
        postBalances: null,
        preTokenBalances: null,
        postTokenBalances: null,
        unitsConsumed: 0,
      });
    });

    it.each<[string, (wire: Buffer) => Buffer, string]>([
      [
        'a read-only fee payer',
        (wire) => wire.fill(1, 66, 67),
        'invalid transaction: Transaction failed to sanitize accounts offsets correctly',
      ],
      [
        'a duplicate key',
        (wire) => wire.fill(wire.subarray(69, 101), 101, 133),
        'invalid transaction: Account loaded twice',
      ],
    ])('rejects the request for %s', async (_, spoil, message) => {
      const wire = spoil(Buffer.from(fromAlice(transferLamports(alice.address, bob.address, 1n)), 'base64'));
      expect(await node.call('simulateTransaction', wire.toString('base64'), BASE64)).toEqual({
        error: { code: -32602, message },
      });
    });
  });

  describe('sendTransaction', () => {
    it('lands a transfer that can be read back in every form', async () => {
      const transaction = fromAlice(transferUsdc(alice, bob, 250_000n));
      const signature = await node.ask<string>('sendTransaction', transaction, BASE64);
      const wire = Buffer.from(transaction, 'base64');
      expect(signature).toBe(encodeBase58(wire.subarray(1, 65)));
      expect(await node.ask('getTokenAccountBalance', usdcOf(bob))).toHaveProperty('value.amount', '250001');

      const slot = await node.ask<number>('getSlot', { commitment: 'processed' });
      expect(await node.ask('getSignatureStatuses', [signature])).toEqual({
        context: { apiVersion: '4.2.1', slot },
        value: [
          { confirmationStatus: 'finalized', confirmations: null, err: null, slot, status: { Ok: null } },
        ],
      });

      const parsed = await node.ask<Value>('getTransaction', signature, 'jsonParsed');
      expect(parsed).toMatchObject({
        slot,
        transactionIndex: expect.any(Number),
        meta: { err: null, fee: 5000 },
      });
      expect(parsed).toHaveProperty('transaction.message.instructions.0.parsed', {
        info: {
          authority: alice.address,
          destination: usdcOf(bob),
          mint: USDC_MINT,
          source: usdcOf(alice),
          tokenAmount: { amount: '250000', decimals: 6, uiAmount: 0.25, uiAmountString: '0.25' },
        },
        type: 'transferChecked',
      });
      const json = await node.ask<Value>('getTransaction', signature, { maxSupportedTransactionVersion: 0 });
      expect(json).toMatchObject({ version: 'legacy', transaction: { signatures: [signature] } });
      expect(await node.ask('getTransaction', signature, 'base64')).toHaveProperty('transaction', [
        transaction,
        'base64',
      ]);
      expect(await node.ask('getTransaction', signature, 'binary')).toHaveProperty(
        'transaction',
        encodeBase58(wire),
      );

      const again = await node.call('sendTransaction', transaction, BASE64);
      expect(again).toMatchObject({
        error: {
          code: -32002,
          message: 'Transaction simulation failed: This transaction has already been processed',
          data: { err: 'AlreadyProcessed', logs: [], fee: null },
        },
      });
      expect(await node.ask('sendTransaction', transaction, { ...BASE64, skipPreflight: true })).toBe(
        signature,
      );
      expect(await node.ask('getTokenAccountBalance', usdcOf(bob))).toHaveProperty('value.amount', '250001');
    });

    it('returns the simulation’s result, and lands a failure only without preflight', async () => {
      const transaction = fromAlice(transferUsdc(alice, bob, 1_000_000_000n));
      const err = { InstructionError: [0, { Custom: 1 }] };
      expect(await node.call('sendTransaction', transaction, BASE64)).toMatchObject({
        error: {
          code: -32002,
          message: 'Transaction simulation failed: Error processing Instruction 0: custom program error: 0x1',
          data: { err, fee: 5000, accounts: null, preBalances: null, loadedAddresses: null },
        },
      });
      const signature = await node.ask<string>('sendTransaction', transaction, {
        ...BASE64,
        skipPreflight: true,
      });
      expect(await node.ask('getSignatureStatuses', [signature])).toMatchObject({
        value: [{ err, status: { Err: err } }],
      });
      expect(await node.ask('getTransaction', signature)).toMatchObject({
        meta: { err, status: { Err: err }, fee: 5000 },
      });
    });

    it('finds an invalid signature, but accepts it without verification', async () => {
      const wire = Buffer.from(fromAlice(transferLamports(alice.address, bob.address, 2n)), 'base64').fill(
        1,
        1,
        65,
      );
      const transaction = wire.toString('base64');
      expect(await node.call('sendTransaction', transaction, BASE64)).toMatchObject({
        error: {
          code: -32002,
          message: 'Transaction simulation failed: Transaction did not pass signature verification',
          data: { err: 'SignatureFailure', logs: [], unitsConsumed: 0 },
        },
      });
      const signature = await node.ask<string>('sendTransaction', transaction, {
        ...BASE64,
        skipPreflight: true,
      });
      expect(signature).toBe(encodeBase58(wire.subarray(1, 65)));
      expect(await node.ask('getTransaction', signature)).toBeNull();
    });
  });

  describe('a lookup table', () => {
    /** Makes a table of Alice's with the one address `content`, and lets it become usable. */
    async function makeTable(content: Address): Promise<Address> {
      const recentSlot = Buffer.alloc(8);
      recentSlot.writeBigUInt64LE(BigInt(await node.ask<number>('getSlot')));
      const table = findPda(
        [addressBytes(alice.address), recentSlot],
        addressBytes(ADDRESS_LOOKUP_TABLE_PROGRAM),
      );
      const accounts = [
        writable(table.address),
        signer(alice.address),
        writableSigner(alice.address),
        readonly(SYSTEM_PROGRAM),
      ];
      const create = Buffer.concat([Buffer.alloc(4), recentSlot, Buffer.of(table.bump)]);
      const extend = Buffer.concat([Buffer.of(2, 0, 0, 0, 1), Buffer.alloc(7), addressBytes(content)]);
      const transaction = fromAlice(
        { programId: ADDRESS_LOOKUP_TABLE_PROGRAM, accounts, data: create },
        { programId: ADDRESS_LOOKUP_TABLE_PROGRAM, accounts, data: extend },
      );
      const signature = await node.ask<string>('sendTransaction', transaction, BASE64);
      const made = await node.ask<Value>('getTransaction', signature, 'jsonParsed');
      expect(made).toMatchObject({
        meta: { err: null },
        transaction: {
          message: {
            instructions: [
              { parsed: { type: 'createLookupTable', info: { lookupTableAccount: table.address } } },
              { parsed: { type: 'extendLookupTable', info: { newAddresses: [content] } } },
            ],
          },
        },
      });
      node.clock.pass(1_000);
      return table.address;
    }

    /** A transfer of Alice's to the first address of `table`. */
    const transferThrough = (table: Address): string => {
      const transaction = buildV0({
        payer: alice,
        keys: [SYSTEM_PROGRAM],
        readonlyCount: 1,
        blockhash: decodeBase58(node.ledger.head().blockhash),
        instructions: [
          {
            program: 1,
            accounts: [0, 2],
            data: transferLamports(alice.address, NO_ACCOUNT, 3_000_000n).data,
          },
        ],
        lookups: [{ table, writable: [0], readonly: [] }],
      });
      return Buffer.from(transaction.wire).toString('base64');
    };

    it('shows the loaded addresses of a version 0 transaction in every format', async () => {
      const receiver = addressFilledWith(60);
      const table = await makeTable(receiver);
      const transaction = transferThrough(table);
      const loaded = { readonly: [], writable: [receiver] };
      expect(await node.ask('simulateTransaction', transaction, BASE64)).toMatchObject({
        value: { err: null, loadedAddresses: loaded },
      });
      const signature = await node.ask<string>('sendTransaction', transaction, BASE64);
      const json = await node.ask('getTransaction', signature, { maxSupportedTransactionVersion: 0 });
      expect(json).toMatchObject({
        version: 0,
        meta: { loadedAddresses: loaded },
        transaction: {
          message: {
            addressTableLookups: [{ accountKey: table, readonlyIndexes: [], writableIndexes: [0] }],
          },
        },
      });
      const parsed = await node.ask('getTransaction', signature, {
        encoding: 'jsonParsed',
        maxSupportedTransactionVersion: 0,
      });
      expect(parsed).toMatchObject({
        transaction: {
          message: {
            accountKeys: [
              { pubkey: alice.address, signer: true, source: 'transaction', writable: true },
              { pubkey: SYSTEM_PROGRAM, signer: false, source: 'transaction', writable: false },
              { pubkey: receiver, signer: false, source: 'lookupTable', writable: true },
            ],
            instructions: [{ parsed: { info: { destination: receiver, lamports: 3_000_000 } } }],
          },
        },
      });
      expect(await node.call('getTransaction', signature)).toHaveProperty('error.code', -32015);
    });

    it('that does not exist is a fault of the request', async () => {
      expect(await node.call('simulateTransaction', transferThrough(NO_ACCOUNT), BASE64)).toEqual({
        error: {
          code: -32602,
          message: "invalid transaction: Transaction loads an address table account that doesn't exist",
        },
      });
    });
  });

  describe('the faucet', () => {
    it('returns signatures of real transactions', async () => {
      const signature = await node.ask<string>('requestAirdrop', addressFilledWith(50), 5_000_000);
      expect(await node.ask('getBalance', addressFilledWith(50))).toHaveProperty('value', 5_000_000);
      expect(await node.ask('getTransaction', signature, 'jsonParsed')).toHaveProperty(
        'transaction.message.instructions.0.parsed.info',
        { destination: addressFilledWith(50), lamports: 5_000_000, source: node.ledger.faucet },
      );
    });

    it('explains why it rejects a request', async () => {
      expect(await node.call('requestTokenAirdrop', alice.address, NO_ACCOUNT, 1)).toMatchObject({
        error: { code: -32602, message: expect.any(String) },
      });
      expect(await node.call('requestTokenAirdrop', alice.address, usdcOf(alice), 1)).toHaveProperty(
        'error.code',
        -32602,
      );
      // Too little to exist: as on a cluster that shows on the ledger.
      const signature = await node.ask<string>('requestAirdrop', NO_ACCOUNT, 1);
      expect(await node.ask('getSignatureStatuses', [signature])).toMatchObject({
        value: [{ err: { InsufficientFundsForRent: { account_index: 1 } } }],
      });
    });
  });
});

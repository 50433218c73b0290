import { describe, expect, it } from 'vitest';
import { accountOf, tokenAccount } from '../../../ledger/testing/make-account.ts';
import { silentLogger } from '../../../ports/logger.ts';
import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM, TOKEN_PROGRAM } from '../../../programs/addresses.ts';
import { deriveAta } from '../../../programs/associated-token.ts';
import { deriveDelegationRecord } from '../../../programs/delegation/pdas.ts';
import { deriveEata } from '../../../programs/ephemeral-token/pdas.ts';
import { type Address, addressBytes, addressOf } from '../../../solana/address.ts';
import { BATCH_MAX, createDispatcher } from '../../dispatcher.ts';
import { EMPTY_SIMULATION, FIXED_HEAD, FixedLedger } from '../../testing/fixed-ledger.ts';
import { transferWire } from '../../testing/transactions.ts';
import { LEDGER_METHODS } from '../method-table.ts';
import { ROLLUP_METHODS } from './rollup-methods.ts';

const URL = 'http://127.0.0.1:7799';
const OWNER = addressOf(new Uint8Array(32).fill(1));
const MINT = addressOf(new Uint8Array(32).fill(2));
const EATA = deriveEata(OWNER, MINT).address;
const ATA = deriveAta(OWNER, MINT, TOKEN_PROGRAM).address;

async function call(
  method: string,
  params: readonly unknown[],
  { ledger = new FixedLedger(), publicUrl = URL as string | null } = {},
): Promise<unknown> {
  const dispatch = createDispatcher({
    node: { ledger, version: '4.2.1', featureSet: 7, ...(publicUrl !== null && { publicUrl }) },
    methods: ROLLUP_METHODS,
    batchMax: BATCH_MAX,
    logger: silentLogger,
  });
  const { result, error } = JSON.parse(
    await dispatch(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })),
  );
  return error ?? result;
}

function delegatedLedger(validator: Address): FixedLedger {
  const ledger = new FixedLedger();
  const record = Buffer.alloc(96);
  record.writeBigUInt64LE(100n, 0);
  record.set(addressBytes(validator), 8);
  record.set(addressBytes(EPHEMERAL_TOKEN_PROGRAM), 40);
  record.writeBigUInt64LE(42n, 72);
  record.writeBigUInt64LE(1_392_000n, 80);
  ledger.setAccount(deriveDelegationRecord(EATA).address, accountOf(DELEGATION_PROGRAM, record));
  ledger.setAccount(ATA, tokenAccount({ mint: MINT, owner: OWNER }, 5n));
  return ledger;
}

const delegationRecord = (authority: Address) => ({
  authority,
  delegationSlot: 42,
  lamports: 1_392_000,
  owner: EPHEMERAL_TOKEN_PROGRAM,
});

describe('getDelegationStatus', () => {
  it.each([
    ['an eATA', EATA],
    ['the ATA it is projected to', ATA],
  ])('returns validator, state and URL for %s on this rollup', async (_, address) => {
    const ledger = delegatedLedger(new FixedLedger().identity);
    expect(await call('getDelegationStatus', [address], { ledger })).toEqual({
      isDelegated: true,
      fqdn: URL,
      delegationRecord: delegationRecord(ledger.identity),
    });
  });

  it('returns no URL for an account of another validator', async () => {
    const ledger = delegatedLedger(OWNER);
    expect(await call('getDelegationStatus', [EATA], { ledger })).toEqual({
      isDelegated: true,
      delegationRecord: delegationRecord(OWNER),
    });
  });

  it.each([['a wallet', OWNER, new FixedLedger()] as const, ['an ATA', ATA, new FixedLedger()] as const])(
    'reports that %s is not delegated',
    async (_, address, ledger) => {
      expect(await call('getDelegationStatus', [address], { ledger })).toEqual({ isDelegated: false });
    },
  );

  it('rejects anything but an address', async () => {
    expect(await call('getDelegationStatus', ['me'])).toMatchObject({ code: -32602 });
  });
});

describe('getRoutes', () => {
  it('names this rollup', async () => {
    const { identity } = new FixedLedger();
    expect(await call('getRoutes', [])).toEqual([{ identity, fqdn: URL, baseFee: 0, blockTimeMs: 400 }]);
  });

  it('is empty if the node does not know its URL', async () => {
    expect(await call('getRoutes', [], { publicUrl: null })).toEqual([]);
  });
});

describe('getBlockhashForAccounts', () => {
  it('returns the newest blockhash without a context', async () => {
    const { blockhash, lastValidBlockHeight } = FIXED_HEAD;
    expect(await call('getBlockhashForAccounts', [[EATA, ATA]])).toEqual({ blockhash, lastValidBlockHeight });
    expect(await call('getBlockhashForAccounts', [[]])).toEqual({ blockhash, lastValidBlockHeight });
  });

  it('rejects invalid addresses, and more than a transaction can have', async () => {
    expect(await call('getBlockhashForAccounts', [['me']])).toMatchObject({ code: -32602 });
    expect(await call('getBlockhashForAccounts', [Array(129).fill(EATA)])).toMatchObject({ code: -32602 });
  });
});

describe('a rollup', () => {
  it('names the same snapshot as the ephemeral validator', async () => {
    expect(await call('getHighestSnapshotSlot', [])).toEqual({ full: 0, incremental: null });
  });

  it('rejects a failed preflight like the ephemeral validator, with the result of the run', async () => {
    const ledger = new FixedLedger();
    ledger.onSimulate = () => ({
      ...EMPTY_SIMULATION,
      err: { InstructionError: [0, { Custom: 1 }] },
      logs: ['Program log: too little'],
    });
    const transaction = Buffer.from(transferWire()).toString('base64');
    expect(await call('sendTransaction', [transaction, { encoding: 'base64' }], { ledger })).toMatchObject({
      code: -32003,
      message: 'transaction verification error: Error processing Instruction 0: custom program error: 0x1',
      data: { err: { InstructionError: [0, { Custom: 1 }] }, logs: ['Program log: too little'] },
    });
    expect(ledger.calls.map(([name]) => name)).toEqual(['simulate']);
  });

  it.each(['requestAirdrop', 'requestTokenAirdrop'])('rejects airdrops by %s', async (method) => {
    const ledger = new FixedLedger();
    expect(await call(method, [OWNER, 5], { ledger })).toEqual({
      code: -32600,
      message: 'free airdrop faucet is disabled',
    });
    expect(ledger.calls).toEqual([]);
  });

  it('serves the methods of a ledger node, each once', () => {
    const names = ROLLUP_METHODS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(LEDGER_METHODS.map(({ name }) => name)));
  });

  it('uses the identity of its validator as its own', async () => {
    expect(await call('getIdentity', [])).toEqual({ identity: new FixedLedger().identity });
  });
});

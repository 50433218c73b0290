import { beforeEach, describe, expect, it } from 'vitest';
import { ataOf, FRIEND, LayoutBScene, openLayoutB, OWNER, VALIDATOR } from '../../test/layout-b-scene.ts';
import { Holder, OTHER_VALIDATOR, VALIDATOR as HOLDER_VALIDATOR } from '../../test/ports/holder.ts';
import { mintDataOf } from '../../test/ports/map-chain.ts';
import { refusalOf, runOperation } from '../../test/run-operation.ts';
import { Clusters } from '../chain/clusters.ts';
import type { Keypair } from '../ledger/keypair.ts';
import { LedgerChain } from '../ledger/ledger-chain.ts';
import { openTestLedger, type TestLedger } from '../ledger/testing/test-ledger.ts';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  NATIVE_MINT,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../programs/addresses.ts';
import { deriveTransferQueue } from '../programs/ephemeral-token/pdas.ts';
import { decodeLookupTable } from '../programs/lookup-table.ts';
import type { Account } from '../solana/account.ts';
import { type Address, addressOf } from '../solana/address.ts';
import { decodeTransaction } from '../solana/transaction.ts';
import { createCreateLookupTable } from './create-lookup-table.ts';
import { RENT_PDA } from './fees/costs.ts';

let base: TestLedger;
let chain: LedgerChain;
let payer: Keypair;

beforeEach(async () => {
  base = await openTestLedger();
  payer = await base.fundedWallet();
  chain = new LedgerChain('localnet', base.ledger, VALIDATOR, null, { layout: 'b' });
});

const build = (args: object = {}, sponsor: Address | null = null) =>
  runOperation(createCreateLookupTable({ clusters: new Clusters([chain]), sponsor }), {
    payer: payer.address,
    ...args,
  });

/** Signs the transactions and sends them one after the other, as an operator does. */
async function send(
  transactions: readonly { transactionBase64: string }[],
  ...signers: readonly Keypair[]
): Promise<void> {
  for (const { transactionBase64 } of transactions) {
    const wire = new Uint8Array(Buffer.from(transactionBase64, 'base64'));
    const { messageAt, staticKeys } = decodeTransaction(wire);
    for (const signer of signers) {
      const place = staticKeys.indexOf(signer.address);
      wire.set(signer.sign(wire.subarray(messageAt)), 1 + place * 64);
    }
    expect((await base.ledger.submit(decodeTransaction(wire))).err).toBeNull();
  }
}

const tableAt = (address: string) => {
  const account = base.ledger.getAccount(address as Address) as Account;
  expect(account.owner).toBe(ADDRESS_LOOKUP_TABLE_PROGRAM);
  return decodeLookupTable(account.data);
};

describe('spl.createLookupTable', () => {
  it('creates a table on a base ledger with the reported addresses, which its authority can change', async () => {
    const { output } = await build({ validators: [VALIDATOR, OTHER_VALIDATOR] });
    expect(output.transactions.length).toBeGreaterThan(1);
    await send(output.transactions, payer);
    expect(tableAt(output.lookupTable)).toMatchObject({
      addresses: output.addresses,
      authority: payer.address,
      deactivationSlot: null,
    });
  });

  it('freezes the table last if requested', async () => {
    const authority = await base.fundedWallet();
    const { output } = await build({ freeze: true, authority: authority.address });
    await send(output.transactions, payer, authority);
    expect(tableAt(output.lookupTable)).toMatchObject({ addresses: output.addresses, authority: null });
  });

  it('contains the addresses that all transfers share, but no programs or wallets', async () => {
    const validators = [VALIDATOR, OTHER_VALIDATOR];
    const { output } = await build({ mints: [USDC_MINT, NATIVE_MINT], validators });
    const { addresses } = output;
    expect(new Set(addresses).size).toBe(addresses.length);
    const queues = [USDC_MINT, NATIVE_MINT].flatMap((mint) =>
      validators.map((validator) => deriveTransferQueue(mint, validator).address),
    );
    expect(addresses).toEqual(
      expect.arrayContaining([...queues, ...validators, RENT_PDA, DELEGATION_PROGRAM, USDC_MINT]),
    );
    expect(addresses).not.toContain(EPHEMERAL_TOKEN_PROGRAM);
    expect(addresses).not.toContain(payer.address);
  });

  it("holds the sponsor's token accounts, so that gasless transfers with a memo fit", async () => {
    const { output } = await build({ mints: [USDC_MINT] }, OWNER);
    expect(output.addresses).toContain(ataOf(OWNER));
  });

  it('rejects more addresses than a table holds, and warns of too few lamports', async () => {
    const { chain: mainnet } = new Holder('b');
    mainnet.put('SysvarS1otHashes111111111111111111111111111' as Address, {
      owner: 'Sysvar1111111111111111111111111111111111111' as Address,
      data: Buffer.from(`0100000000000000${'05'.padEnd(16, '0')}${'00'.repeat(32)}`, 'hex'),
    });
    const operation = createCreateLookupTable({ clusters: new Clusters([mainnet]), sponsor: null });
    const { output } = await runOperation(operation, { payer: OTHER_VALIDATOR });
    expect(output.setting).toBe('PRIVATE_BASE_TO_BASE_TRANSFER_MAINNET_LOOKUP_TABLE');
    expect(output.warnings?.map(({ code }) => code)).toEqual(['INSUFFICIENT_LAMPORTS']);
    expect(output.addresses).toContain(deriveTransferQueue(USDC_MINT, HOLDER_VALIDATOR).address);
    const eight = [1, 2, 3, 4, 5, 6, 7, 8].map((byte) => addressOf(new Uint8Array(32).fill(byte)));
    for (const mint of eight) mainnet.put(mint, { owner: TOKEN_PROGRAM, data: mintDataOf(mint) });
    const refusal = await refusalOf(
      runOperation(operation, { payer: OTHER_VALIDATOR, mints: eight, validators: eight }),
    );
    expect(refusal.message).toContain('A table holds 256 addresses, but this request needs');
  });
});

describe('spl.transfer with the table', () => {
  let scene: LayoutBScene;

  beforeEach(async ({ skip }) => {
    scene = openLayoutB(skip);
    await scene.play('initializeMint', { payer: OWNER, mint: USDC_MINT });
  });

  it('builds and lands a payment that creates the vault, which is too large without the table', async () => {
    const payment = {
      from: OWNER,
      to: FRIEND,
      mint: USDC_MINT,
      amount: 10_000,
      visibility: 'private',
      initVaultIfMissing: true,
      memo: 'Order #1042',
    };
    const { output } = await build({ mints: [USDC_MINT] });
    await send(output.transactions, payer);
    const table = output.lookupTable as Address;
    scene.vm.put(table, base.ledger.getAccount(table) as Account);
    expect((await refusalOf(scene.call('transfer', payment))).code).toBe('TRANSACTION_TOO_LARGE');
    Object.assign(scene.chain, { transferLookupTable: table });
    const built = await scene.call('transfer', payment);
    expect(built['version']).toBe('v0');
    scene.send(String(built['transactionBase64']));
    expect(scene.tokensIn(ataOf(OWNER))).toBe(4_989_990n);
  });
});

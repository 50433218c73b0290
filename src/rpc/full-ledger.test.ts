import { beforeAll, describe, expect, it } from 'vitest';
import { Keypair } from '../ledger/keypair.ts';
import { createAccount } from '../ledger/testing/instructions.ts';
import { buildTransaction } from '../ledger/testing/test-ledger.ts';
import { SYSTEM_PROGRAM } from '../programs/addresses.ts';
import { rentExemptMinimum } from '../solana/account.ts';
import { addressOf } from '../solana/address.ts';
import { openOperatedNode, type OperatedNode } from './methods/surfnet/testing/operated-node.ts';

let node: OperatedNode;
let wallet: Keypair;
beforeAll(async () => {
  node = await openOperatedNode({ accountsBytesMax: 1 });
  wallet = await node.fundedWallet();
});

function creation(): string {
  const created = new Keypair(node.random.bytes(32));
  const size = { lamports: rentExemptMinimum(9), space: 9n, owner: SYSTEM_PROGRAM };
  const instruction = createAccount(wallet.address, created.address, size);
  const { wire } = buildTransaction(node.ledger, [wallet, created], [instruction]);
  return Buffer.from(wire).toString('base64');
}

describe('a node whose accounts are full', () => {
  it('reports it before a transaction is sent, as Agave does', async () => {
    const { error } = await node.call('sendTransaction', creation(), { encoding: 'base64' });
    expect(error).toMatchObject({
      code: -32002,
      message: 'Transaction simulation failed: Transaction would exceed total account data limit',
      data: { err: 'WouldExceedAccountDataTotalLimit', unitsConsumed: 150 },
    });
  });

  it('reports it in the status of a transaction sent without preflight', async () => {
    const sent = await node.call('sendTransaction', creation(), { encoding: 'base64', skipPreflight: true });
    const { result } = await node.call('getSignatureStatuses', [sent.result]);
    const err = 'WouldExceedAccountDataTotalLimit';
    expect(result).toMatchObject({ value: [{ err, status: { Err: err } }] });
  });

  it('names the setting to an operator', async () => {
    const address = addressOf(new Uint8Array(32).fill(9));
    const { error } = await node.call('surfnet_setAccount', address, { lamports: 5, data: '00' });
    expect(error?.code).toBe(-32602);
    expect(error?.message).toMatch(
      /^The accounts of the ledger would have \d+ bytes of data, more than the limit of 1: raise LEDGER_ACCOUNTS_BYTES_MAX/,
    );
    expect(await node.call('surfnet_setAccount', address, { lamports: 5 })).not.toHaveProperty('error');
  });
});

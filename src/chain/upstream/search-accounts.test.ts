import { describe, expect, it } from 'vitest';
import { isServiceError } from '../../errors/service-error.ts';
import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM, USDC_MINT } from '../../programs/addresses.ts';
import { type Address, addressBytes, addressOf } from '../../solana/address.ts';
import { ScriptedTransport } from '../testing/scripted-transport.ts';
import { upstreamPorts } from '../testing/upstream-ports.ts';
import { RpcChain } from './rpc-ledger-client.ts';

const OWNER = addressOf(new Uint8Array(32).fill(3));
const PLACE = addressOf(new Uint8Array(32).fill(4));

function answering(program: Address, first: Address, bytes = 72) {
  const data = Buffer.alloc(bytes);
  data.set(addressBytes(first), 0);
  const account = {
    lamports: 5,
    owner: program,
    data: [data.toString('base64'), 'base64'],
    executable: false,
    rentEpoch: 0,
  };
  const value = [{ pubkey: PLACE, account }];
  const transport = new ScriptedTransport(() => ({ result: { context: { slot: 10 }, value } }));
  const facts = {
    cluster: 'mainnet',
    network: 'mainnet',
    layout: 'b',
    defaultMint: USDC_MINT,
    transferLookupTable: null,
    defaultValidator: null,
    validatorVariable: 'X',
  } as const;
  const chain = new RpcChain(facts, [new URL('https://base.example')], null, upstreamPorts(transport));
  return { chain, transport, data };
}

const search = {
  program: EPHEMERAL_TOKEN_PROGRAM,
  byteCount: 72,
  having: { offset: 0, address: OWNER },
};

describe('searchAccounts', () => {
  it('filters by size and by bytes at an offset, and returns the matches', async () => {
    const { chain, transport, data } = answering(EPHEMERAL_TOKEN_PROGRAM, OWNER);
    const found = await chain.searchAccounts(search);
    expect(found).toMatchObject([{ address: PLACE, account: { lamports: 5n, data } }]);
    const config = {
      commitment: 'confirmed',
      encoding: 'base64',
      withContext: true,
      filters: [{ dataSize: 72 }, { memcmp: { offset: 0, bytes: OWNER, encoding: 'base58' } }],
    };
    expect(transport.calls).toMatchObject([
      { method: 'getProgramAccounts', params: [EPHEMERAL_TOKEN_PROGRAM, config] },
    ]);
  });

  it.each([
    ['of another program', DELEGATION_PROGRAM, OWNER, 72],
    ['of another size', EPHEMERAL_TOKEN_PROGRAM, OWNER, 80],
    ['of another owner', EPHEMERAL_TOKEN_PROGRAM, PLACE, 72],
  ])('rejects the answer of a node that finds accounts %s', async (_, program, first, bytes) => {
    const { chain } = answering(program, first, bytes);
    const error: unknown = await chain.searchAccounts(search).catch((caught: unknown) => caught);
    expect(isServiceError(error) && error.code).toBe('UPSTREAM_INVALID');
  });
});

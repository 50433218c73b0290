import { describe, expect, it } from 'vitest';
import { Holder, HOLDER, OTHER_VALIDATOR, VALIDATOR } from '../../test/ports/holder.ts';
import { MapRollup } from '../../test/ports/map-chain.ts';
import { accountsOf, callsOf, faultyFields, refusalOf, runOperation } from '../../test/run-operation.ts';
import { hostedCases } from '../../test/vectors/hosted-cases.ts';
import { Clusters } from '../chain/clusters.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, USDC_MINT } from '../programs/addresses.ts';
import { deriveMagicFeeVault } from '../programs/delegation/pdas.ts';
import { deriveEata } from '../programs/ephemeral-token/pdas.ts';
import type { Address } from '../solana/address.ts';
import { RENT_PDA } from './fees/costs.ts';
import { createUndelegate } from './undelegate.ts';

const operationOn = ({ chain }: Holder) => createUndelegate({ clusters: new Clusters([chain]) });

const undelegate = (holder: Holder, args: object = {}, token?: string) =>
  runOperation(operationOn(holder), { payer: HOLDER, mint: USDC_MINT, ...args }, { token });

function onRollup(layout: 'a' | 'b', ...mint: [mint?: Address, tokenProgram?: Address]): Holder {
  const holder = new Holder(layout, ...mint).putDelegatedEata(VALIDATOR);
  const rollup = new MapRollup();
  rollup.validator = VALIDATOR;
  holder.chain.rollup = rollup;
  return holder;
}

describe('spl.undelegate', () => {
  it.each(['a', 'b'] as const)('returns every member of the contract on layout %s', async (layout) => {
    const holder = onRollup(layout);
    const { output, sentences } = await undelegate(holder);
    expect(output).toEqual({
      notes: [expect.stringContaining('settle and return'), expect.stringContaining('watch the base ledger')],
      kind: 'undelegateEphemeralAta',
      version: 'legacy',
      transactionBase64: expect.any(String),
      sendTo: 'ephemeral',
      sendRpcEndpoint: 'https://rollup.example',
      recentBlockhash: holder.chain.blockhash,
      lastValidBlockHeight: 1_150,
      instructionCount: 1,
      requiredSigners: [HOLDER],
    });
    expect(callsOf(output.transactionBase64)).toEqual(['5']);
    expect(sentences[0]).toBe('Built an unsigned SPL undelegate transaction.');
    expect(sentences[2]).toContain('watch the base ledger, not the rollup');
  });

  it.each(hostedCases<{ payer: Address; mint: Address; payerValidator?: Address }>('undelegateEphemeralAta'))(
    'answers the request of %s with the hosted transaction',
    async (_, { input: { payerValidator, ...args }, expect: expected }) => {
      const holder = onRollup('b').putRecord(deriveEata(args.payer, args.mint).address, VALIDATOR);
      if (payerValidator !== undefined) holder.putRecord(args.payer, payerValidator, SYSTEM_PROGRAM);
      const { output } = await undelegate(holder, args);
      expect(output.transactionBase64).toBe(expected.transaction);
    },
  );

  it("reads the blockhash from the rollup, with the caller's token, and not from base", async () => {
    const holder = onRollup('b');
    await undelegate(holder, {}, 'a-token');
    expect((holder.chain.rollup as MapRollup).blockhashTokens).toEqual(['a-token']);
    expect(holder.chain.blockhashTokens).toEqual([]);
  });

  it('warns when the endpoint to send to is not shown', async () => {
    const holder = onRollup('b');
    (holder.chain.rollup as MapRollup).publicUrl = null;
    const { output, sentences } = await undelegate(holder);
    expect(output.sendRpcEndpoint).toBeUndefined();
    expect(output.warnings?.map(({ code }) => code)).toEqual(['SEND_ENDPOINT_NOT_SHOWN']);
    expect(sentences.at(-1)).toMatch(/^Before sending: /);
  });

  it('names the magic fee vault for a delegated wallet, only on layout B', async () => {
    const vault = deriveMagicFeeVault(VALIDATOR).address;
    const newer = await undelegate(onRollup('b').putRecord(HOLDER, VALIDATOR, SYSTEM_PROGRAM));
    expect(accountsOf(newer.output.transactionBase64)).toContain(vault);
    const older = await undelegate(onRollup('a').putRecord(HOLDER, VALIDATOR, SYSTEM_PROGRAM));
    expect(accountsOf(older.output.transactionBase64)).not.toContain(vault);
  });
});

describe('spl.undelegate rejects', () => {
  const elsewhere = onRollup('b');
  (elsewhere.chain.rollup as MapRollup).validator = OTHER_VALIDATOR;
  const undelegated = onRollup('b');
  undelegated.chain.accounts.delete(undelegated.accounts.delegation.record);
  const nowhere = onRollup('b');
  nowhere.chain.accounts.delete(nowhere.accounts.delegation.record);
  nowhere.chain.accounts.delete(nowhere.accounts.eata.address);
  const unreadable = onRollup('b');
  unreadable.chain.accounts.delete(unreadable.accounts.delegation.record);

  it.each([
    ['an eATA that is on base', undelegated.putEata(1n), {}, 'EATA_NOT_DELEGATED', 'withdrawn from directly'],
    ['an eATA that does not exist', nowhere, {}, 'EATA_NOT_DELEGATED', 'does not exist'],
    ['an eATA of an unknown validator', unreadable, {}, 'ACCOUNT_UNREADABLE', 'cannot be read'],
    [
      'an eATA of another rollup',
      elsewhere,
      {},
      'EATA_DELEGATED_ELSEWHERE',
      `Only validator ${VALIDATOR} can return it`,
    ],
    [
      'a wallet on another validator',
      onRollup('b').putRecord(HOLDER, OTHER_VALIDATOR, SYSTEM_PROGRAM),
      {},
      'VALIDATOR_MISMATCH',
      'Payer and ephemeral ATA are delegated to different validators',
    ],
    ['a cluster without a rollup', new Holder('a'), {}, 'UNSUPPORTED_ON_CLUSTER', 'needs a rollup'],
    ['a payer off the curve', onRollup('b'), { payer: RENT_PDA }, 'INVALID_OWNER', 'off the curve'],
    [
      'on layout A a mint of Token-2022',
      onRollup('a', USDC_MINT, TOKEN_2022_PROGRAM),
      {},
      'UNSUPPORTED_TOKEN_PROGRAM',
      'Token-2022',
    ],
  ])('%s', async (_, holder, args, code, words) => {
    const refused = await refusalOf(undelegate(holder, args));
    expect(refused.code).toBe(code);
    expect(refused.message).toContain(words);
  });

  it.each([
    ['payer', { payer: undefined }],
    ['payer', { payer: 1 }],
    ['mint', { mint: undefined }],
    ['mint', { mint: '1' }],
    ['cluster', { cluster: null }],
    ['token', { token: 'secret' }],
  ])('an invalid %s before any read: %j', (field, args) => {
    expect(faultyFields(operationOn(onRollup('b')), { payer: HOLDER, mint: USDC_MINT, ...args })).toEqual([
      field,
    ]);
  });
});

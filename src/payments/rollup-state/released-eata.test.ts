import { describe, expect, it } from 'vitest';
import { Holder, HOLDER, OTHER_VALIDATOR, VALIDATOR } from '../../../test/ports/holder.ts';
import { type MapChain, MapRollup } from '../../../test/ports/map-chain.ts';
import { runOperation } from '../../../test/run-operation.ts';
import { Clusters } from '../../chain/clusters.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { systemRandom as random } from '../../ports/random.ts';
import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM, USDC_MINT } from '../../programs/addresses.ts';
import { deriveDelegationRecord } from '../../programs/delegation/pdas.ts';
import { deriveEata } from '../../programs/ephemeral-token/pdas.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { createDeposit } from '../deposit.ts';
import { FROM, FROM_ATA, TO, TO_ATA, TO_ROLLUP, TransferScene } from '../transfer/testing/transfer-scene.ts';
import { createWithdraw } from '../withdraw.ts';

/** A rollup that keeps what it is asked for, and with which token. */
class RecordingRollup extends MapRollup {
  readonly reads: { readonly addresses: readonly Address[]; readonly token: string | undefined }[] = [];
  override validator = VALIDATOR;

  override getAccounts(addresses: readonly Address[], token?: string): Promise<(Account | null)[]> {
    this.reads.push({ addresses, token });
    return super.getAccounts(addresses);
  }
}

function record(chain: MapChain): RecordingRollup {
  const rollup = new RecordingRollup();
  chain.rollup = rollup;
  return rollup;
}

const OPERATIONS = {
  deposit: (chain: MapChain) => createDeposit({ clusters: new Clusters([chain]), random }),
  withdraw: (chain: MapChain) => createWithdraw({ clusters: new Clusters([chain]), random }),
};

/** A holder on layout B whose eATA was given back. */
const released = () => new Holder('b').putTokens(5_000_000n).putEata(1_000_000n);

const build = (name: keyof typeof OPERATIONS, chain: MapChain, args: object = {}) =>
  runOperation(OPERATIONS[name](chain) as ReturnType<typeof createDeposit>, {
    owner: HOLDER,
    mint: USDC_MINT,
    amount: 1,
    ...args,
  });

const codesOf = ({ output }: { output: { warnings?: { code: string }[] | undefined } }): string[] =>
  (output.warnings ?? []).map(({ code }) => code);

describe.each(['deposit', 'withdraw'] as const)('spl.%s that delegates an eATA again', (name) => {
  it('makes the rollup read its ATA once, without a token', async () => {
    const { chain, accounts } = released();
    const rollup = record(chain);
    const built = await build(name, chain);
    expect(rollup.reads).toEqual([{ addresses: [accounts.ownerAta], token: undefined }]);
    expect(codesOf(built)).not.toContain('ROLLUP_UNREAD');
  });

  it('is built with a warning if the rollup does not respond', async () => {
    const { chain } = released();
    const rollup = record(chain);
    rollup.getAccounts = () => Promise.reject(new ServiceError('UPSTREAM_UNAVAILABLE', 'gone', {}));
    expect(codesOf(await build(name, chain))).toContain('ROLLUP_UNREAD');
  });

  it('reads at most a balance from the rollup if the eATA is already delegated, or to another validator', async () => {
    const delegated = new Holder('b').putTokens(5_000_000n).putDelegatedEata(VALIDATOR);
    const rollup = record(delegated.chain);
    await build(name, delegated.chain);
    // A withdrawal compares its amount with what the rollup has.
    const balance = { addresses: [delegated.accounts.ownerAta], token: undefined };
    expect(rollup.reads).toEqual(name === 'withdraw' ? [balance] : []);
    const { chain } = released();
    const other = record(chain);
    await build(name, chain, { validator: OTHER_VALIDATOR });
    expect(other.reads).toEqual([]);
  });
});

describe('spl.transfer that delegates an eATA again', () => {
  /** Returns the owner's eATA to base. */
  function release(scene: TransferScene, owner: Address): void {
    const eata = deriveEata(owner, USDC_MINT).address;
    scene.chain.accounts.delete(deriveDelegationRecord(eata).address);
    scene.chain.put(eata, { owner: EPHEMERAL_TOKEN_PROGRAM, data: new Uint8Array(80) });
    expect(scene.chain.accounts.get(eata)?.owner).not.toBe(DELEGATION_PROGRAM);
  }

  it.each([
    ["the sender's, from base to base", FROM, FROM_ATA, {}],
    ["the recipient's, from base to the rollup", TO, TO_ATA, { ...TO_ROLLUP, initIfMissing: true }],
  ])('makes the rollup read the ATA once: %s', async (_, owner, ata, args) => {
    const scene = new TransferScene();
    const rollup = record(scene.chain);
    await scene.run(args);
    expect(rollup.reads.filter(({ addresses }) => addresses.includes(ata))).toEqual([]);
    release(scene, owner);
    await scene.run(args);
    expect(rollup.reads).toContainEqual({ addresses: [ata], token: undefined });
  });
});

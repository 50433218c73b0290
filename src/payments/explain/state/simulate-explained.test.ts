import { describe, expect, it } from 'vitest';
import { MapChain, mintData, tokenAccountData } from '../../../../test/ports/map-chain.ts';
import { Clusters } from '../../../chain/clusters.ts';
import { ServiceError } from '../../../errors/service-error.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../../programs/addresses.ts';
import { transferTokens } from '../../../programs/token/instructions.ts';
import type { Account } from '../../../solana/account.ts';
import { type Address, addressOf } from '../../../solana/address.ts';
import { decodeBase58 } from '../../../solana/base58.ts';
import { compileLegacyMessage, encodeUnsignedTransaction } from '../../../solana/message.ts';
import { createExplainTransaction } from '../../explain-transaction.ts';
import { ANONYMOUS } from '../../operation.ts';

const key = (byte: number): Address => addressOf(new Uint8Array(32).fill(byte));
const [owner, mint, source, destination] = [key(1), key(2), key(3), key(4)];

/** A ledger with scripted simulations, and optional payments by others in between. */
class SimulatedChain extends MapChain {
  simulations = 0;
  /** The amount the destination receives in a simulation, in base units. */
  paid = 5n;
  /** Called before each simulation. */
  meanwhile: () => void = () => undefined;

  constructor() {
    super();
    this.put(mint, { owner: TOKEN_PROGRAM, data: mintData(0) });
    this.put(owner, { owner: SYSTEM_PROGRAM, data: new Uint8Array() });
    this.hold(source, owner, 9n);
    this.hold(destination, key(8), 0n);
  }

  hold(account: Address, holder: Address, amount: bigint): void {
    this.put(account, { owner: TOKEN_PROGRAM, data: tokenAccountData(mint, holder, amount) });
  }

  override simulateTransaction(_wire: Uint8Array, watch: readonly Address[]) {
    this.simulations++;
    this.meanwhile();
    const change = new Map([
      [source, -5n],
      [destination, this.paid],
    ]);
    const accounts = watch.map((address) =>
      withTokens(this.accounts.get(address) as Account, change.get(address)),
    );
    return Promise.resolve({ err: null, logs: [], computeUnits: 0, accounts });
  }
}

function withTokens(account: Account, change = 0n): Account {
  if (account.owner !== TOKEN_PROGRAM) return account;
  const data = Uint8Array.from(account.data);
  const view = new DataView(data.buffer);
  view.setBigUint64(64, view.getBigUint64(64, true) + change, true);
  return { ...account, data };
}

async function explain(chain: MapChain) {
  const operation = createExplainTransaction({
    clusters: new Clusters([chain]),
    operations: [],
    sponsor: null,
  });
  const instructions = [transferTokens(TOKEN_PROGRAM, { source, destination, authority: owner }, 5n)];
  const blockhash = decodeBase58(chain.blockhash);
  const wire = encodeUnsignedTransaction(compileLegacyMessage({ feePayer: owner, blockhash, instructions }));
  const transactionBase64 = Buffer.from(wire).toString('base64');
  const { output } = await operation.run({ transactionBase64, sendTo: 'base' }, ANONYMOUS);
  return { verdict: output.verdict, codes: output.findings.map(({ code }) => code) };
}

describe('the simulation of an explained transaction', () => {
  it('that does what the instructions say is clear', async () => {
    const chain = new SimulatedChain();
    expect(await explain(chain)).toEqual({ verdict: 'clear', codes: [] });
    expect(chain.simulations).toBe(1);
  });

  it('that does something else is a danger', async () => {
    const chain = new SimulatedChain();
    chain.paid = 4n;
    expect(await explain(chain)).toEqual({ verdict: 'danger', codes: ['TRIAL_DIFFERS'] });
  });

  it("is made again if someone else's payment came in between", async () => {
    const chain = new SimulatedChain();
    chain.meanwhile = () => {
      if (chain.simulations === 1) chain.hold(destination, key(8), 70n);
    };
    expect(await explain(chain)).toEqual({ verdict: 'clear', codes: [] });
    expect(chain.simulations).toBe(2);
  });

  it('is a danger if its accounts keep changing and it always differs', async () => {
    const chain = new SimulatedChain();
    chain.meanwhile = () => chain.hold(destination, key(8), BigInt(chain.simulations) * 70n);
    expect(await explain(chain)).toEqual({ verdict: 'danger', codes: ['TRIAL_DIFFERS'] });
    expect(chain.simulations).toBe(3);
  });

  it('that is not possible is a caution with its reason', async () => {
    const chain = new MapChain();
    Object.assign(chain, { accounts: new SimulatedChain().accounts });
    chain.simulateTransaction = () =>
      Promise.reject(new ServiceError('UPSTREAM_TIMEOUT', 'The ledger was late'));
    expect(await explain(chain)).toEqual({ verdict: 'caution', codes: ['TRIAL_UNAVAILABLE'] });
  });

  it('leaves the caution that the blockhash could not be checked', async () => {
    const chain = new SimulatedChain();
    chain.isBlockhashValid = () => Promise.reject(new ServiceError('UPSTREAM_REJECTED', 'no such method'));
    expect(await explain(chain)).toEqual({ verdict: 'caution', codes: ['BLOCKHASH_UNCHECKED'] });
  });
});

import { setTimeout as sleep } from 'node:timers/promises';
import { address, createSolanaRpc, lamports } from '@solana/kit';
import { requestTokenAirdrop } from './faucet.ts';
import { Book, formatAmount, type Mint, type Place } from './book.ts';
import { createMint, findAta } from './mint.ts';
import { Person, Refused, type Built } from './person.ts';
import type { Stack } from './stack.ts';
import { checkEqual, note, step } from './report.ts';

const USDC: Mint = {
  name: 'USDC',
  address: address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'),
  decimals: 6,
};

const AIRDROP_LAMPORTS = lamports(1_000_000_000n);

/** Longest that a settlement may take. */
const SETTLEMENT_MS_MAX = 10_000;

/** The amounts of one round, in base units: odd figures, so that no two sums are alike by chance. */
interface Amounts {
  readonly funds: bigint;
  readonly aliceDeposits: bigint;
  readonly bobDeposits: bigint;
  readonly alicePays: bigint;
  readonly bobPays: bigint;
  readonly alicePaysAgain: bigint;
}

/** For a mint whose whole token is `unit` base units. */
const amountsOf = (unit: bigint): Amounts => ({
  funds: 10n * unit + 19n,
  aliceDeposits: (7n * unit) / 2n + 11n,
  bobDeposits: unit + 5n,
  alicePays: (5n * unit) / 4n + 3n,
  bobPays: unit / 3n,
  alicePaysAgain: 1n,
});

/** The whole life of private payments between two wallets, step by step. */
export class Life {
  readonly #stack: Stack;
  readonly #restarts: boolean;
  readonly #book = new Book();
  readonly #alice: Person;
  readonly #bob: Person;
  readonly #stranger: Person;
  readonly #mints: Mint[] = [];

  private constructor(stack: Stack, restarts: boolean, people: readonly [Person, Person, Person]) {
    this.#stack = stack;
    this.#restarts = restarts;
    [this.#alice, this.#bob, this.#stranger] = people;
  }

  /** `restarts`: whether the stack is restarted between any two steps. */
  static async begin(stack: Stack, restarts: boolean): Promise<Life> {
    const create = (name: string) => Person.create(name, stack);
    return new Life(stack, restarts, [await create('Alice'), await create('Bob'), await create('Mallory')]);
  }

  async play(rounds: number): Promise<void> {
    await this.#fund();
    for (let round = 1; round <= rounds; round++) {
      if (rounds > 1) console.log(`\nRound ${round} of ${rounds}`);
      await this.#deposit();
      if (round === 1) await this.#showStranger();
      await this.#pay();
      await this.#refuseEarlyWithdrawal();
      await this.#undelegate();
      await this.#withdraw();
    }
  }

  async #fund(): Promise<void> {
    await this.#step('Two new wallets, with SOL and USDC from the faucet', async () => {
      const { funds } = amountsOf(10n ** BigInt(USDC.decimals));
      for (const person of [this.#alice, this.#bob]) {
        const rpc = createSolanaRpc(this.#stack.ledgerUrl);
        await rpc.requestAirdrop(person.wallet.address, AIRDROP_LAMPORTS).send();
        await requestTokenAirdrop(this.#stack.ledgerUrl, [person.address, USDC.address, funds.toString()]);
        note(person.name, person.address);
        this.#book.open(person, USDC, funds);
      }
      this.#mints.push(USDC);
    });
    await this.#step('A mint with 9 decimals, which Alice makes with kit', async () => {
      const decimals = 9;
      const { funds } = amountsOf(10n ** BigInt(decimals));
      const people = [this.#alice, this.#bob];
      const owners = people.map(({ wallet }) => wallet.address);
      const terms = { decimals, amount: funds, owners };
      const mint: Mint = {
        name: 'NINE',
        address: await createMint(this.#stack.ledgerUrl, this.#alice.wallet, terms),
        decimals,
      };
      note('mint', mint.address);
      for (const person of people) this.#book.open(person, mint, funds);
      this.#mints.push(mint);
    });
  }

  async #deposit(): Promise<void> {
    for (const mint of this.#mints) {
      const { aliceDeposits, bobDeposits } = amountsFor(mint);
      await this.#move(`Alice deposits ${mint.name} privately`, this.#alice, {
        tool: 'spl.deposit',
        args: { owner: this.#alice.address, mint: mint.address, amount: aliceDeposits.toString() },
        change: [mint, aliceDeposits, [this.#alice, 'base'], [this.#alice, 'rollup']],
      });
      await this.#move(`Bob deposits ${mint.name} for everybody to see`, this.#bob, {
        tool: 'spl.deposit',
        args: {
          owner: this.#bob.address,
          mint: mint.address,
          amount: bobDeposits.toString(),
          private: false,
        },
        change: [mint, bobDeposits, [this.#bob, 'base'], [this.#bob, 'rollup']],
      });
    }
  }

  /**
   * What the rollup's node tells a stranger, without a token and with one of their own, and what it tells the
   * owner.
   */
  async #showStranger(): Promise<void> {
    await this.#step('A stranger looks at the rollup', async () => {
      const endpoint = await this.#rollupEndpoint();
      note('rollup', endpoint);
      const places = {
        'a stranger without a token': endpoint,
        'a stranger with a token of their own': `${endpoint}/?token=${await this.#stranger.token()}`,
        'Alice with hers': `${endpoint}/?token=${await this.#alice.token()}`,
      };
      const [alices, bobs] = [
        await findAta(this.#alice.wallet.address, USDC.address),
        await findAta(this.#bob.wallet.address, USDC.address),
      ];
      for (const [who, url] of Object.entries(places)) {
        const isAlice = url === places['Alice with hers'];
        const rpc = createSolanaRpc(url);
        const { value: account } = await rpc.getAccountInfo(alices, { encoding: 'base64' }).send();
        checkEqual(`${who} sees Alice's account`, account !== null, isAlice);
        const { value: largest } = await rpc.getTokenLargestAccounts(USDC.address).send();
        const listed = (ata: string): boolean => largest.some((each) => each.address === ata);
        checkEqual(`${who} finds her among the largest`, listed(alices), isAlice);
        checkEqual(`${who} finds Bob there, who is public`, listed(bobs), true);
      }
      const asked = { address: this.#alice.address, mint: USDC.address };
      checkEqual(
        'the service asks for a token',
        await codeOf(this.#alice.call('spl.getPrivateBalance', asked, null)),
        'MISSING_AUTH_TOKEN',
      );
    });
  }

  async #pay(): Promise<void> {
    const [alice, bob] = [this.#alice, this.#bob];
    for (const mint of this.#mints) {
      const { alicePays, bobPays, alicePaysAgain } = amountsFor(mint);
      await this.#transfer(alice, bob, mint, alicePays, { visibility: 'private' });
      await this.#transfer(bob, alice, mint, bobPays, { visibility: 'public' });
      await this.#transfer(alice, bob, mint, alicePaysAgain, { visibility: 'private', memo: 'for lunch' });
    }
  }

  async #transfer(from: Person, to: Person, mint: Mint, amount: bigint, options: object): Promise<void> {
    const shown = formatAmount(amount, mint.decimals);
    await this.#move(`${from.name} pays ${to.name} ${shown} ${mint.name} on the rollup`, from, {
      tool: 'spl.transfer',
      args: {
        from: from.address,
        to: to.address,
        mint: mint.address,
        amount: amount.toString(),
        fromBalance: 'ephemeral',
        toBalance: 'ephemeral',
        ...options,
      },
      change: [mint, amount, [from, 'rollup'], [to, 'rollup']],
    });
  }

  async #refuseEarlyWithdrawal(): Promise<void> {
    await this.#step('Nobody can withdraw what is still on the rollup', async () => {
      const args = { owner: this.#alice.address, mint: USDC.address, amount: 1 };
      const code = await codeOf(this.#alice.call('spl.withdraw', args));
      checkEqual('spl.withdraw answers', code, 'EATA_ALREADY_DELEGATED');
    });
  }

  async #undelegate(): Promise<void> {
    for (const mint of this.#mints) {
      for (const person of [this.#alice, this.#bob]) {
        await this.#move(`${person.name} has the rollup give the ${mint.name} back`, person, {
          tool: 'spl.undelegate',
          args: { payer: person.address, mint: mint.address },
          change: [
            mint,
            this.#book.amountOf(person, mint, 'rollup'),
            [person, 'rollup'],
            [person, 'returning'],
          ],
        });
      }
    }
    await this.#step('All of it is settled on base', async () => {
      const started = performance.now();
      for (const mint of this.#mints) {
        for (const person of [this.#alice, this.#bob]) {
          await untilSettled(() =>
            person.call('spl.withdraw', this.#withdrawalOf(person, mint, 'returning')),
          );
          const amount = this.#book.amountOf(person, mint, 'returning');
          this.#book.move(mint, amount, [person, 'returning'], [person, 'settled']);
        }
      }
      note('waited for it', `${Math.round(performance.now() - started)} ms`);
      await this.#book.check();
    });
  }

  async #withdraw(): Promise<void> {
    for (const mint of this.#mints) {
      for (const person of [this.#alice, this.#bob]) {
        await this.#move(`${person.name} withdraws all ${mint.name}`, person, {
          tool: 'spl.withdraw',
          args: this.#withdrawalOf(person, mint, 'settled'),
          change: [mint, this.#book.amountOf(person, mint, 'settled'), [person, 'settled'], [person, 'base']],
        });
      }
    }
  }

  #withdrawalOf(person: Person, mint: Mint, place: Place): object {
    const amount = this.#book.amountOf(person, mint, place).toString();
    return { owner: person.address, mint: mint.address, amount };
  }

  /** A step that builds one transaction, signs and sends it, and moves tokens by it. */
  async #move(
    title: string,
    person: Person,
    move: {
      readonly tool: string;
      readonly args: object;
      readonly change: Parameters<Book['move']>;
    },
  ): Promise<void> {
    await this.#step(title, async () => {
      await this.#signAndNote(person, await person.call<Built>(move.tool, move.args));
      this.#book.move(...move.change);
      await this.#book.check();
    });
  }

  async #signAndNote(person: Person, built: Built): Promise<void> {
    const { size, computeUnits } = await person.sign(built);
    note(`landed on ${built.sendTo}`, `${size} bytes, ${computeUnits} compute units`);
  }

  /** Where what is built for the rollup is to be sent. */
  async #rollupEndpoint(): Promise<string> {
    const args = { payer: this.#alice.address, mint: USDC.address };
    const { sendRpcEndpoint } = await this.#alice.call<Built>('spl.undelegate', args);
    if (sendRpcEndpoint === undefined) throw new Error('the service does not show where the rollup is');
    return sendRpcEndpoint;
  }

  async #step(title: string, play: () => Promise<void>): Promise<void> {
    step(title);
    await play();
    if (!this.#restarts) return;
    await this.#stack.restart?.();
    for (const person of [this.#alice, this.#bob, this.#stranger]) person.forgetToken();
  }
}

const amountsFor = ({ decimals }: Mint): Amounts => amountsOf(10n ** BigInt(decimals));

/** Asks again while a settlement is under way. */
async function untilSettled<T>(ask: () => Promise<T>): Promise<T> {
  const until = performance.now() + SETTLEMENT_MS_MAX;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const isUnderWay = error instanceof Refused && error.code === 'EATA_SETTLING';
      if (!isUnderWay || performance.now() > until) throw error;
    }
    await sleep(20);
  }
}

async function codeOf(asked: Promise<unknown>): Promise<string | undefined> {
  try {
    await asked;
  } catch (error) {
    if (error instanceof Refused) return error.code;
    throw error;
  }
  return undefined;
}

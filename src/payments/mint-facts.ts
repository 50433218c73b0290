import { isTokenProgram } from '../programs/token/token-program.ts';
import type { Chain, Layout } from '../chain/chain.ts';
import { ServiceError } from '../errors/service-error.ts';
import { TOKEN_PROGRAM } from '../programs/addresses.ts';
import { decodeMintScale } from '../programs/token/state.ts';
import type { Account } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';

/** What the operations need to know of a mint. */
export interface MintFacts {
  readonly mint: Address;
  /** The program that owns the mint: SPL Token or Token-2022. */
  readonly tokenProgram: Address;
  readonly decimals: number;
}

/** What is known of the mints of a chain. */
interface MintMemory {
  /**
   * Facts that need not be read again. Those of an SPL Token mint never change: the program neither closes a mint nor sets
   * its decimals twice. Token-2022 closes mints.
   */
  readonly lasting: Map<Address, MintFacts>;
  /** Reads under way. */
  readonly underWay: Map<Address, Promise<MintFacts>>;
}

const memories = new WeakMap<Chain, MintMemory>();

/** Mints remembered for each chain; the oldest goes first. */
const LASTING_MAX = 1_024;

/**
 * Reads a mint from the chain, unless it is known for good. Callers at the same time share a read; failures are not kept.
 *
 * @throws {ServiceError} MINT_NOT_FOUND, UNSUPPORTED_TOKEN_PROGRAM when another program owns the account,
 *   ACCOUNT_UNREADABLE when a token program owns it but it is no initialised mint.
 */
export function readMint(chain: Chain, mint: Address): Promise<MintFacts> {
  // A local ledger may be set back, and looking into it costs less than remembering.
  if (chain.network === 'localnet') return readFacts(chain, mint);
  const memory = memoryOf(chain);
  const known = memory.lasting.get(mint);
  if (known !== undefined) return Promise.resolve(known);
  return memory.underWay.get(mint) ?? readForAll(chain, mint, memory);
}

function memoryOf(chain: Chain): MintMemory {
  let memory = memories.get(chain);
  if (memory === undefined) memories.set(chain, (memory = { lasting: new Map(), underWay: new Map() }));
  return memory;
}

/**
 * The very promise of the read: one that came after it would let the failure of another read of the same answer overtake
 * this one, and callers would hear of what follows from a wrong mint in place of the mint.
 */
function readForAll(chain: Chain, mint: Address, { lasting, underWay }: MintMemory): Promise<MintFacts> {
  const reading = readFacts(chain, mint);
  const end = (facts?: MintFacts): void => {
    underWay.delete(mint);
    if (facts?.tokenProgram !== TOKEN_PROGRAM) return;
    if (lasting.size >= LASTING_MAX) lasting.delete(lasting.keys().next().value as Address);
    lasting.set(mint, facts);
  };
  reading.then(end, () => end());
  underWay.set(mint, reading);
  return reading;
}

async function readFacts(chain: Chain, mint: Address): Promise<MintFacts> {
  const [account = null] = await chain.getAccounts([mint]);
  return decodeFacts(chain, mint, account);
}

function decodeFacts(chain: Chain, mint: Address, account: Account | null): MintFacts {
  if (account === null) {
    throw new ServiceError(
      'MINT_NOT_FOUND',
      `mint ${mint} does not exist on ${chain.cluster}; pass a mint that does`,
      {
        field: 'mint',
        mint,
        cluster: chain.cluster,
      },
    );
  }
  if (!isTokenProgram(account.owner)) {
    throw new ServiceError(
      'UNSUPPORTED_TOKEN_PROGRAM',
      `mint ${mint} belongs to ${account.owner}, which is neither SPL Token nor Token-2022; pass the address of a mint`,
      { field: 'mint', mint, owner: account.owner },
    );
  }
  const scale = decodeMintScale(account.data);
  if (scale === null) {
    throw new ServiceError(
      'ACCOUNT_UNREADABLE',
      `account ${mint} belongs to a token program but is not an initialised mint; pass the address of a mint`,
      { field: 'mint', mint },
    );
  }
  return { mint, tokenProgram: account.owner, ...scale };
}

/**
 * Refuses a mint the program of a layout cannot hold: layout A was written for SPL Token alone.
 *
 * @throws {ServiceError} UNSUPPORTED_TOKEN_PROGRAM.
 */
export function requireHoldable(facts: MintFacts, layout: Layout): void {
  if (layout === 'b' || facts.tokenProgram === TOKEN_PROGRAM) return;
  throw new ServiceError(
    'UNSUPPORTED_TOKEN_PROGRAM',
    `mint ${facts.mint} belongs to Token-2022, which the program on this cluster cannot hold; pass a mint of SPL Token`,
    { field: 'mint', mint: facts.mint, owner: facts.tokenProgram },
  );
}

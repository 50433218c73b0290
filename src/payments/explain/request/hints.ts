import { isTokenProgram } from '../../../programs/token/token-program.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../programs/addresses.ts';
import type { Address } from '../../../solana/address.ts';
import { COMMON_MINTS } from '../../mints/common-mints.ts';
import type { ChainFacts } from '../state/chain-facts.ts';
import type { ExplainedCalls } from '../explain-calls.ts';
import type { Reading } from '../reading.ts';
import type { Hints } from './expectation.ts';

/** Collects what an expectation takes from an explained transaction. */
export function hintsOf(explained: ExplainedCalls, facts: ChainFacts | null): Hints {
  const readings = explained.calls.flatMap(({ reading }) => reading ?? []);
  const withField = (field: string): Reading | undefined => readings.find((reading) => reading.has(field));
  const box = withField('sealedDestination');
  const named = namedTokenProgram(explained);
  return {
    feePayer: explained.accounts[0]?.address as Address,
    actions: explained.calls.map(({ matched }) => matched?.form.action ?? null),
    readings,
    shuttleId: withField('shuttleId')?.number('shuttleId') ?? null,
    groupId: withField('groupId')?.number('groupId') ?? null,
    sealed:
      box === undefined
        ? null
        : { destination: box.bytes('sealedDestination'), terms: box.bytes('sealedTerms') },
    validator: firstValidator(readings),
    queue: firstOf(readings, (reading) => reading.account('queue')),
    lamportsTo: lamportTransfers(explained),
    tokenProgramOf: (mint) => knownTokenProgram(mint, facts) ?? named,
  };
}

/** The program of a mint from the chain or common knowledge; null if neither has it. */
export function knownTokenProgram(mint: Address, facts: ChainFacts | null): Address | null {
  const owner = COMMON_MINTS.get(mint)?.tokenProgram ?? facts?.accounts.get(mint)?.owner;
  return isTokenProgram(owner) ? owner : null;
}

const firstValidator = (readings: readonly Reading[]): Address | null =>
  firstOf(readings, (reading) => reading.address('validator') ?? reading.account('validator'));

function firstOf(readings: readonly Reading[], find: (reading: Reading) => Address | null): Address | null {
  for (const reading of readings) {
    const found = find(reading);
    if (found !== null) return found;
  }
  return null;
}

function lamportTransfers({ calls }: ExplainedCalls): Map<Address, bigint> {
  const transfers = new Map<Address, bigint>();
  for (const { matched, reading } of calls) {
    const to = reading?.account('destination') ?? null;
    if (matched?.form.action !== 'transferLamports' || reading === null || to === null) continue;
    // Only the first: no plan has a second transfer to the same receiver.
    if (!transfers.has(to)) transfers.set(to, reading.amount('lamports'));
  }
  return transfers;
}

function namedTokenProgram({ calls }: ExplainedCalls): Address {
  for (const { call, reading } of calls) {
    if (isTokenProgram(call.program)) return call.program;
    if (reading?.account('tokenProgram') === TOKEN_2022_PROGRAM) return TOKEN_2022_PROGRAM;
  }
  return TOKEN_PROGRAM;
}

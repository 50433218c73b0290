import { isServiceError } from '../../../errors/service-error.ts';
import { SYSTEM_PROGRAM } from '../../../programs/addresses.ts';
import { isTokenProgram } from '../../../programs/token/state.ts';
import type { Address } from '../../../solana/address.ts';
import { deriveMintVault, isShuttleTaken, readVault } from '../../accounts/deposit-accounts.ts';
import { isProgramAccount } from '../../accounts/token-account.ts';
import {
  isOwnersAlone,
  type LeftPermission,
  namesOfReaders,
  readPermission,
} from '../../deposit/warnings.ts';
import type { ExplainedCall, ExplainedCalls } from '../explain-calls.ts';
import { danger, type FindingCode, joinReports, mismatch, type Report } from '../finding.ts';
import type { Reading } from '../reading.ts';
import type { ChainFacts } from './chain-facts.ts';

/** Reports the faults that `faultOf` finds in instructions. Each fault is a clause. */
function reportFaults(
  { calls }: ExplainedCalls,
  faultOf: (reading: Reading) => string | null,
  { code, part, expected, consequence }: FaultTerms,
): Report {
  const reports = calls.flatMap(({ reading }, instruction) => {
    const found = reading === null ? null : faultOf(reading);
    if (found === null) return [];
    const message = `Instruction ${instruction}: ${found}${consequence}.`;
    return mismatch({ ...danger(code, message), instruction }, { instruction, part, expected, found });
  });
  return joinReports(reports);
}

interface FaultTerms {
  readonly code: FindingCode;
  readonly part: string;
  readonly expected: string;
  /** The consequence of the fault, as the end of the sentence that reports it. */
  readonly consequence: string;
}

/** Instructions that move tokens with a new shuttle. */
const CARRYING: ReadonlySet<string> = new Set(['depositByShuttle', 'privateTransfer', 'withdrawByShuttle']);

/** Lists the shuttles that a transaction fills, as addresses of their metadata and eATAs. */
export const shuttlesOf = ({
  calls,
}: ExplainedCalls): { readonly shuttle: Address; readonly shuttleEata: Address }[] =>
  calls.flatMap(({ reading }) => {
    if (reading === null || !CARRYING.has(reading.action)) return [];
    const [shuttle, shuttleEata] = [reading.account('shuttle'), reading.account('shuttleEata')];
    return shuttle && shuttleEata ? [{ shuttle, shuttleEata }] : [];
  });

/**
 * Reports shuttles that the transaction cannot fill. The program treats a repeated id as a repeated
 * transaction: it charges its fee and moves nothing.
 */
export const checkShuttles = (explained: ExplainedCalls): Report =>
  reportFaults(explained, shuttleFault, {
    code: 'SHUTTLE_TAKEN',
    part: 'shuttleId',
    expected: 'an unused shuttle id',
    consequence: ', so the program would charge its fee and move nothing',
  });

function shuttleFault(reading: Reading): string | null {
  if (!CARRYING.has(reading.action)) return null;
  const [shuttle = null, shuttleEata = null] = [
    reading.accountOf('shuttle'),
    reading.accountOf('shuttleEata'),
  ];
  if (!isShuttleTaken({ shuttle, shuttleEata })) return null;
  const what = isShuttleTaken({ shuttle, shuttleEata: null })
    ? 'already exists'
    : `cannot carry anything, because its eATA ${reading.name('shuttleEata')} is already delegated`;
  return `shuttle ${reading.name('shuttle')} ${what}`;
}

/** Reports vaults that should not receive payments. */
export const checkVaults = (explained: ExplainedCalls): Report =>
  reportFaults(explained, vaultFault, {
    code: 'VAULT_WRONG',
    part: 'vault',
    expected: 'the vault of the mint, and no one else with rights over it',
    consequence: '',
  });

/** Finds faults in a vault: another program or mint, or tokens that someone else can take. */
function vaultFault(reading: Reading): string | null {
  const [mint, tokenProgram] = [reading.account('mint'), reading.account('tokenProgram')];
  const [vault, ata] = [reading.accountOf('vault'), reading.accountOf('vaultAta')];
  if (mint === null || !isTokenProgram(tokenProgram) || vault === undefined) return null;
  const { vault: expected, vaultAta } = deriveMintVault(mint, tokenProgram);
  // A wrong address is reported separately.
  if (reading.account('vault') !== expected.address) return null;
  if (vault !== null && vault.owner !== SYSTEM_PROGRAM && !isProgramAccount(vault)) {
    return `the vault ${expected.address} of mint ${mint} belongs to program ${vault.owner} and not to the program that pays out of it`;
  }
  if (ata === undefined || reading.account('vaultAta') !== vaultAta) return null;
  try {
    const place = { vault: expected, vaultAta, mint, tokenProgram };
    const rules = readVault(place, { vault, vaultAta: ata })?.rules;
    const closing = rules?.closeAuthority === expected.address ? null : rules?.closeAuthority;
    const other = rules?.delegate ?? closing ?? null;
    return other === null
      ? null
      : `${other} has rights over the token account ${vaultAta} of the vault of mint ${mint}, which only the vault should have`;
  } catch (error) {
    if (isServiceError(error)) return error.message;
    throw error;
  }
}

/**
 * Checks who can read eATAs that the transaction makes private. The instruction does not change an existing
 * permission, so earlier readers remain unless a later instruction resets it.
 */
export function checkReaders({ calls }: ExplainedCalls, facts: ChainFacts | null): Report {
  const findings = calls.flatMap(({ reading }, instruction) => {
    if (reading?.action !== 'createEataPermission') return [];
    const message = readersFault(reading, calls.slice(instruction + 1), facts);
    return message === null ? [] : [{ ...danger('OTHER_READERS', message), instruction }];
  });
  return { findings, doubts: [], differences: [] };
}

function readersFault(
  reading: Reading,
  later: readonly ExplainedCall[],
  facts: ChainFacts | null,
): string | null {
  const [eata, address, owner] = [
    reading.account('eata'),
    reading.account('permission'),
    reading.ownerOf('eata'),
  ];
  if (eata === null || address === null || owner === null) return null;
  try {
    const permission = permissionOf(facts, address, owner);
    if (!permission || isOwnersAlone(permission)) return null;
    const isReset =
      !permission.isDelegated &&
      later.some(
        (call) => call.reading?.action === 'resetEataPermission' && call.reading.account('eata') === eata,
      );
    return isReset
      ? null
      : `eATA ${eata} is not private to ${owner}: its permission account ${address} lets ${namesOfReaders(permission)} read it on the rollup, and this transaction does not change that.`;
  } catch (error) {
    if (!isServiceError(error)) throw error;
    return error.message;
  }
}

/**
 * Returns the permission account on chain: null if absent, undefined if it was not read.
 *
 * @throws {ServiceError} ACCOUNT_UNREADABLE.
 */
export function permissionOf(
  facts: ChainFacts | null,
  address: Address,
  owner: Address,
): LeftPermission | null | undefined {
  const account = facts?.accounts.get(address);
  return account === undefined ? undefined : readPermission(address, account, owner);
}

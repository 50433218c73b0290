import type { JsonOutput, JsonOutputObject } from '../../../json/json-value.ts';
import type { Account } from '../../../solana/account.ts';
import type { Address } from '../../../solana/address.ts';
import { type AccountView, showAccount } from '../../accounts/account-encoding.ts';
import type { Profile, Run } from './profile.ts';

/** Shows an account of a profile. */
type Show = (address: Address, account: Account) => JsonOutputObject;

/** A profile as Surfpool shows it (`UiKeyedProfileResult`), with or without its instructions. */
export function showProfile(profile: Profile, view: AccountView, hasInstructions: boolean): JsonOutputObject {
  const { slot, key, keys, readonlyStates, transaction, instructions } = profile;
  const show: Show = (address, account) => showAccount(address, account, view);
  const readonlyAccounts = [...readonlyStates].flatMap(([address, account]) =>
    account === null ? [] : [[address, show(address, account)] as const],
  );
  return {
    slot,
    key,
    instructionProfiles: hasInstructions ? instructions.map((run) => showRun(run, keys, show)) : undefined,
    transactionProfile: showRun(transaction, keys, show),
    readonlyAccountStates: Object.fromEntries(readonlyAccounts),
  };
}

/** Surfpool `UiProfileResult`. */
function showRun(run: Run, keys: readonly Address[], show: Show): JsonOutputObject {
  return {
    accountStates: Object.fromEntries(keys.map((address) => [address, showState(run, address, show)])),
    computeUnitsConsumed: run.computeUnits,
    logMessages: run.logs,
    errorMessage: run.error,
  };
}

/** Surfpool `UiAccountProfileState`. */
function showState({ before, after }: Run, address: Address, show: Show): JsonOutputObject {
  const [old, present] = [before.get(address), after.get(address)];
  if (old === undefined || present === undefined) return { type: 'readonly' };
  return { type: 'writable', accountChange: showChange(address, old, present, show) };
}

/** Surfpool `UiAccountChange`. */
function showChange(address: Address, old: Account | null, present: Account | null, show: Show): JsonOutput {
  if (old === null) {
    return present === null
      ? { type: 'unchanged', data: null }
      : { type: 'create', data: show(address, present) };
  }
  if (present === null) return { type: 'delete', data: show(address, old) };
  if (isSame(old, present)) return { type: 'unchanged', data: show(address, old) };
  return { type: 'update', data: [show(address, old), show(address, present)] };
}

function isSame(one: Account, other: Account): boolean {
  return (
    one.lamports === other.lamports &&
    one.owner === other.owner &&
    one.executable === other.executable &&
    Buffer.compare(one.data, other.data) === 0
  );
}

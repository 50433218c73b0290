import type { RpcMethod } from '../../rpc-method.ts';
import { surfnetCloneProgramAccount } from './clone-program-account.ts';
import { switchable } from './disabled-cheats.ts';
import { surfnetExportSnapshot } from './export-snapshot.ts';
import { surfnetGetLocalSignatures } from './get-local-signatures.ts';
import { surfnetGetSurfnetInfo } from './get-surfnet-info.ts';
import { surfnetGetActiveIdl, surfnetRegisterIdl } from './idls.ts';
import { surfnetOfflineAccount } from './offline-account.ts';
import { surfnetPauseClock } from './pause-clock.ts';
import {
  surfnetGetProfileResultsByTag,
  surfnetGetTransactionProfile,
  surfnetProfileTransaction,
} from './profile-transaction.ts';
import { surfnetResetAccount } from './reset-account.ts';
import { surfnetResetNetwork } from './reset-network.ts';
import { surfnetResumeClock } from './resume-clock.ts';
import { surfnetSetAccount } from './set-account.ts';
import { surfnetSetProgramAuthority } from './set-program-authority.ts';
import { surfnetSetSupply } from './set-supply.ts';
import { surfnetSetTokenAccount } from './set-token-account.ts';
import {
  surfnetGetStreamedAccounts,
  surfnetStreamAccount,
  surfnetStreamAccounts,
} from './stream-accounts.ts';
import { switchMethods } from './switch-cheats.ts';
import { surfnetTimeTravel } from './time-travel.ts';
import { surfnetWriteProgram } from './write-program.ts';

const CHEATS: readonly RpcMethod[] = [
  surfnetCloneProgramAccount,
  surfnetExportSnapshot,
  surfnetGetActiveIdl,
  surfnetGetLocalSignatures,
  surfnetGetProfileResultsByTag,
  surfnetGetStreamedAccounts,
  surfnetGetSurfnetInfo,
  surfnetGetTransactionProfile,
  surfnetOfflineAccount,
  surfnetPauseClock,
  surfnetProfileTransaction,
  surfnetRegisterIdl,
  surfnetResetAccount,
  surfnetResetNetwork,
  surfnetResumeClock,
  surfnetSetAccount,
  surfnetSetProgramAuthority,
  surfnetSetSupply,
  surfnetSetTokenAccount,
  surfnetStreamAccount,
  surfnetStreamAccounts,
  surfnetTimeTravel,
  surfnetWriteProgram,
];

/**
 * Methods with which tests change the ledger beyond what transactions can, with Surfpool's names and formats.
 * Whoever can call them controls the ledger, so they are only for a node that just its own machine can reach.
 */
export const SURFNET_METHODS: readonly RpcMethod[] = switchable([...CHEATS, ...switchMethods(CHEATS)]);

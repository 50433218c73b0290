import type { RpcMethod } from '../../rpc-method.ts';
import { surfnetResetAccount, surfnetSetAccount } from './account-cheats.ts';
import { surfnetPauseClock, surfnetResumeClock, surfnetTimeTravel } from './clock-cheats.ts';
import { surfnetExportSnapshot, surfnetResetNetwork } from './network-cheats.ts';
import {
  surfnetCloneProgramAccount,
  surfnetSetProgramAuthority,
  surfnetWriteProgram,
} from './program-cheats.ts';
import { surfnetSetTokenAccount } from './token-cheats.ts';

/**
 * Methods with which tests change the ledger beyond what transactions can, with Surfpool's names and formats.
 * Whoever can call them controls the ledger, so they are only for a node that just its own machine can reach.
 */
export const SURFNET_METHODS: readonly RpcMethod[] = [
  surfnetCloneProgramAccount,
  surfnetExportSnapshot,
  surfnetPauseClock,
  surfnetResetAccount,
  surfnetResetNetwork,
  surfnetResumeClock,
  surfnetSetAccount,
  surfnetSetProgramAuthority,
  surfnetSetTokenAccount,
  surfnetTimeTravel,
  surfnetWriteProgram,
];

export type {
  Built,
  Gift,
  Holder,
  Localnet,
  LocalnetOptions,
  LocalnetUrls,
  LocalnetWallet,
} from './localnet.ts';
export type { LocalnetSnapshot } from './snapshot.ts';
export { startLocalnet } from './start-localnet.ts';

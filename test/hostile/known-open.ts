/** Rows that the service does not yet judge as the table says, by name. Nothing but those, and one day none. */
export const KNOWN_OPEN: readonly string[] = [
  'transfer, after it: SPL Token: approve nothing',
  'transfer, after it: Token-2022: approve nothing',
  'a transfer to what is no token account',
  'a transfer to an account that is not initialised',
  'a transfer to the account of a strange program',
  'layout B deposit, by a shuttle that is there already',
  'layout B withdraw, by a shuttle that is there already',
  'layout B toRollup, by a shuttle that is there already',
];

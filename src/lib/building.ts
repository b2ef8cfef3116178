/**
 * An object whose members are added one by one. Where each call makes it, spreads of optional members cost more than all
 * else that its function does.
 */
export type Building<T> = { -readonly [Name in keyof T]: T[Name] }

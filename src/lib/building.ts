/**
 * An object whose members are added one by one. On the path of every call, spreads of optional members would cost more than
 * the rest of the function.
 */
export type Building<T> = { -readonly [Name in keyof T]: T[Name] }

/** A type whose members cannot be assigned, at any depth. The static types of schemas are mutable. */
export type DeepReadonly<T> = T extends object
  ? { readonly [Member in keyof T]: DeepReadonly<T[Member]> }
  : T

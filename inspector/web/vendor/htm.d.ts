/** The part of htm that the inspector uses. The package's own types do not match its module. */
declare const htm: {
  bind<T>(h: (...node: never[]) => T): (strings: TemplateStringsArray, ...values: unknown[]) => T
}
export default htm

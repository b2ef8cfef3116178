/** As far as it is used here; the types of the package do not fit its module. */
declare const htm: {
  bind<T>(h: (...node: never[]) => T): (strings: TemplateStringsArray, ...values: unknown[]) => T
}
export default htm

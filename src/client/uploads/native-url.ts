/** What tus-js-client imports as `url-parse` for one resolved link: every browser has it. */
export default URL;

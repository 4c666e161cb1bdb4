/**
 * What tus-js-client imports as `url-parse`. That package is CommonJS: with it, the build puts its
 * CommonJS runtime into a second script that every page loads.
 */
export default URL;

// What the suites have in common.
exports.TESTS = Array.from({ length: 200 }, (_, i) => i);
exports.objectOf = (i) => ({ size: i, label: `object ${i}` });

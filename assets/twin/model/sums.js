// Sums in one written order: the twin of model/sums.py. See twin/model/steps.js.
{
  // mirrors model/sums.py: total
  function total(values) {
    let together = 0;
    for (const value of values) together += value ?? 0;
    return together;
  }

  GuessAhead.sums = { total };
}

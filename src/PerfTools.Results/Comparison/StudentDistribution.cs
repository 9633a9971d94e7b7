namespace PerfTools.Results.Comparison;

/// <summary>Student's t distribution: the probability of a difference by chance, when its error is itself an estimate.</summary>
internal static class StudentDistribution
{
    private const double Tiny = 1e-300;
    private const double Precision = 1e-12;
    private const int MaxSteps = 300;

    // Lanczos' approximation of the logarithm of the gamma function, with g = 7
    private const double Lanczos = 7;
    private static readonly double[] Coefficients =
    [
        0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
        -0.13857109526572012,
        9.9843695780195716e-6, 1.5056327351493116e-7,
    ];

    /// <summary>Returns the probability of a value at least as far from 0, on either side.</summary>
    /// <param name="t">The value.</param>
    /// <param name="degrees">Degrees of freedom, above 0, not necessarily whole.</param>
    public static double TwoSided(double t, double degrees) =>
        double.IsInfinity(t) ? 0 : IncompleteBeta(degrees / (degrees + (t * t)), degrees / 2, 0.5);

    /// <summary>Returns the value that is exceeded, on either side, with a probability.</summary>
    /// <param name="probability">Above 0, below 1.</param>
    /// <param name="degrees">Degrees of freedom.</param>
    public static double Quantile(double probability, double degrees)
    {
        double low = 0, high = 1;
        while (TwoSided(high, degrees) > probability)
            high *= 2;
        while (high - low > Precision * high)
        {
            double middle = (low + high) / 2;
            if (middle <= low || middle >= high)
                break;
            if (TwoSided(middle, degrees) > probability)
                low = middle;
            else
                high = middle;
        }

        return high;
    }

    // The regularized incomplete beta function, by its continued fraction on the side where that converges fast.
    private static double IncompleteBeta(double x, double a, double b)
    {
        if (x is <= 0 or >= 1)
            return x <= 0 ? 0 : 1;
        double front = Math.Exp(LogGamma(a + b) - LogGamma(a) - LogGamma(b) + (a * Math.Log(x)) + (b * Math.Log(1 - x)));
        return x < (a + 1) / (a + b + 2) ? front * Fraction(x, a, b) / a : 1 - (front * Fraction(1 - x, b, a) / b);
    }

    // Lentz' method
    private static double Fraction(double x, double a, double b)
    {
        double c = 1;
        double d = 1 / Away(1 - ((a + b) * x / (a + 1)));
        double result = d;
        for (int m = 1; m <= MaxSteps; m++)
        {
            double even = m * (b - m) * x / ((a + (2 * m) - 1) * (a + (2 * m)));
            d = 1 / Away(1 + (even * d));
            c = Away(1 + (even / c));
            result *= d * c;
            double odd = -(a + m) * (a + b + m) * x / ((a + (2 * m)) * (a + (2 * m) + 1));
            d = 1 / Away(1 + (odd * d));
            c = Away(1 + (odd / c));
            result *= d * c;
            if (Math.Abs((d * c) - 1) < Precision)
                break;
        }

        return result;
    }

    private static double Away(double value) => Math.Abs(value) < Tiny ? Tiny : value;

    private static double LogGamma(double x)
    {
        if (x < 0.5)
            return Math.Log(Math.PI / Math.Sin(Math.PI * x)) - LogGamma(1 - x);
        double sum = Coefficients[0];
        for (int i = 1; i < Coefficients.Length; i++)
            sum += Coefficients[i] / (x - 1 + i);
        double t = x - 1 + Lanczos + 0.5;
        return (0.5 * Math.Log(2 * Math.PI)) + ((x - 0.5) * Math.Log(t)) - t + Math.Log(sum);
    }
}

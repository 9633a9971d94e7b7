namespace PerfCommon.Tests.Domains;

/// <summary>Damages messages the same way for the same seed.</summary>
internal static class Mutation
{
    /// <summary>A copy with one to four bytes changed, and sometimes cut short.</summary>
    public static byte[] Of(byte[] good, Random random)
    {
        byte[] bad = good[..(random.Next(4) == 0 ? random.Next(good.Length + 1) : good.Length)];
        for (int i = random.Next(4); i >= 0 && bad.Length > 0; i--)
            bad[random.Next(bad.Length)] = (byte)random.Next(256);
        return bad;
    }
}

namespace Fuzz;

/// <summary>
/// Limits the iterations of a reader for one input, and the number of its results, in proportion to the input: none may hang or
/// grow without limit.
/// </summary>
/// <param name="inputBytes">Bytes of the input.</param>
internal struct FuzzTurns(int inputBytes)
{
    private const int FixedTurns = 64;
    private const int TurnsPerByte = 4;

    private long _left = FixedTurns + ((long)TurnsPerByte * inputBytes);

    /// <summary>Counts a turn.</summary>
    public void Take()
    {
        if (--_left < 0)
            throw new FuzzException($"more turns than an input of {inputBytes} bytes is worth");
    }

    /// <summary>Asserts a condition of a result.</summary>
    public static void Demand(bool holds, string what)
    {
        if (!holds)
            throw new FuzzException(what);
    }
}

namespace PerfTools.Results;

/// <summary>The account of one kind of message: what was sent must have been received or counted as lost.</summary>
/// <param name="Kind">What is counted, in the plural.</param>
/// <param name="Sent">Messages whose last byte the sender's socket took.</param>
/// <param name="Received">Messages that the receiver counted.</param>
/// <param name="Lost">Messages that one of the two counted as lost.</param>
internal sealed record Balance(string Kind, long Sent, long Received, long Lost = 0)
{
    /// <summary>True when nothing is missing and nothing is too many.</summary>
    public bool IsEven => Sent == Received + Lost;

    /// <summary>Those of the accounts in which anything was counted.</summary>
    public static IEnumerable<Balance> WhereUsed(params Balance[] balances) => balances.Where(b => b is not { Sent: 0, Received: 0 });
}

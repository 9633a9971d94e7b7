namespace PerfTools.Hosting.Control;

/// <summary>The answer of a running program to a request.</summary>
/// <param name="Status">The HTTP status.</param>
/// <param name="ContentType">The type of the text.</param>
/// <param name="Text">The answer; of a refusal one sentence.</param>
internal sealed record ControlReply(int Status, string ContentType, string Text)
{
    public const int Ok = 200;
    public const int BadRequest = 400;
    public const int Unauthorized = 401;
    public const int Forbidden = 403;
    public const int NotFound = 404;
    public const int WrongMethod = 405;
    public const int TooLarge = 413;
    public const int HeadTooLarge = 431;
    public const int Defect = 500;

    private const string PlainText = "text/plain; charset=utf-8";

    /// <summary>Creates a refusal of one sentence.</summary>
    public static ControlReply Refuse(int status, string sentence) => new(status, PlainText, sentence + "\n");
}

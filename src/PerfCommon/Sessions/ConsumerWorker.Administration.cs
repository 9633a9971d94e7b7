using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;

namespace PerfCommon.Sessions;

internal sealed partial class ConsumerWorker
{
    private void HandleLogin(scoped in RwfMsg msg, ReadOnlySpan<byte> message)
    {
        ConversationResult result = _login.Take(msg);
        switch (result.Step)
        {
            case ConversationStep.Ready when Stage == ConsumerStage.Login:
                Notices.Add("Received login response.");
                Enter(ConsumerStage.Service, Clock.NowNanos);
                Send(DirectoryConsumer.EncodeRequest(_scratch));
                break;
            case ConversationStep.Echo when message.Length <= _scratch.Length:
                message.CopyTo(_scratch);
                Send(message.Length);
                break;
            case ConversationStep.Refused or ConversationStep.Closed:
                Fail(
                    Stage == ConsumerStage.Login ? ConsumerFailureKind.LoginRefused : ConsumerFailureKind.ConnectionLost,
                    result.Reason ?? "the provider refused the login");
                break;
            default:
                Conclude(result);
                break;
        }
    }

    private void HandleDirectory(scoped in RwfMsg msg)
    {
        ConversationResult result = _directory.Take(msg);
        if (result.Step == ConversationStep.Ready)
            ServiceUp(Clock.NowNanos);
        else
            Conclude(result);
    }

    private void HandleDictionary(scoped in RwfMsg msg)
    {
        if (_download is null || Stage != ConsumerStage.Dictionary)
            return;
        ConversationResult result = _download.Take(msg);
        if (result.Step == ConversationStep.Ready)
            StartRequests(_download.Dictionary!, Clock.NowNanos);
        else if (result.Step is ConversationStep.Refused or ConversationStep.Closed)
            UseFallbackDictionary(result.Reason ?? "the provider refused the dictionary");
        else
            Conclude(result);
    }

    private void Conclude(ConversationResult result)
    {
        if (result.Step == ConversationStep.Disconnect)
            Fail(ConsumerFailureKind.BadMessage, result.Reason ?? "the provider broke the protocol");
        else if (result.Reason is { } reason)
            Notices.Add(reason);
    }
}
